# Prints what zsh offers for command lines, END after each: zsh -f zsh-completion.zsh SCRIPT LINE…. Completion works in an interactive shell
# only, so one is started on a pseudo terminal, and what it would offer is written to a file.
zmodload zsh/zpty
export OFFERED=$(mktemp) SCRIPT=$1
zpty shell zsh -f -i
zpty -w shell '
  PROMPT= ; autoload -Uz compinit && compinit -u -D; source $SCRIPT
  compadd() {
    case " ${@[1,(i)(-|--)]} " in (*" -"[OAD]" "*) builtin compadd "$@"; return;; esac
    local -a hits; builtin compadd -A hits "$@"
    [[ -n $hits ]] && print -rl -- $hits >>$OFFERED
    builtin compadd "$@"
  }
  offer() { zle complete-word; print -r -- END >>$OFFERED; zle kill-buffer }
  zle -N offer; bindkey "^I" offer; setopt no_list_beep; zstyle ":completion:*" verbose no; LISTMAX=10000'
for line in "${@:2}"; do
  zpty -w -n shell "$line"$'\t'
  while ! grep -q '^END$' $OFFERED; do zpty -r -t shell >/dev/null || sleep 0.02; done
  sort -u $OFFERED | grep -v '^END$'
  echo END
  : >$OFFERED
done
zpty -d shell
rm -f $OFFERED
