{{- define "datahub-gitops.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- /* The common part of all pods. `token` is the key of the DataHub token in the secret. */}}
{{- define "datahub-gitops.pod" -}}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
volumes:
  - name: work
    emptyDir: { sizeLimit: {{ .root.Values.workSize }} }
  # Only the token that this pod needs.
  - name: token
    secret:
      secretName: {{ .root.Values.secret.name }}
      defaultMode: 0440
      items: [{ key: {{ .token }}, path: {{ .token }} }]
{{- end }}

{{- /* The common part of all containers. A container with `asks` sends requests to DataHub and gets the token. */}}
{{- define "datahub-gitops.container" -}}
image: {{ printf "%s:%s" .root.Values.image.repository (.root.Values.image.tag | default .root.Chart.AppVersion) | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
resources: {{- toYaml .root.Values.resources | nindent 2 }}
volumeMounts:
  - { name: work, mountPath: /workspace }
  {{- if .asks }}
  - { name: token, mountPath: /var/run/datahub, readOnly: true }
  {{- end }}
{{- end }}

{{- /* The environment variables of a container that runs Git. The token is not written to a file. SSH needs no token. */}}
{{- define "datahub-gitops.gitEnv" -}}
{{- with (and (regexMatch "^https?://" .Values.repository) .Values.secret.gitToken) -}}
- name: GIT_TOKEN
  valueFrom: { secretKeyRef: { name: {{ $.Values.secret.name }}, key: {{ . }} } }
- { name: GIT_CONFIG_COUNT, value: "1" }
# Only the host of the repository gets the token.
- { name: GIT_CONFIG_KEY_0, value: {{ printf "credential.%s.helper" (regexReplaceAll "^(https?://)([^/@]*@)?([^/]+).*$" $.Values.repository "${1}${3}") | quote }} }
- name: GIT_CONFIG_VALUE_0
  value: '!f() { printf "username=x-access-token\npassword=%s\n" "$GIT_TOKEN"; }; f'
{{- end }}
{{- end }}

{{- /* The environment variables of a container that runs datahub-gitops. `token` is the key of the DataHub token. */}}
{{- define "datahub-gitops.env" -}}
- { name: DATAHUB_GMS_URL, value: {{ .root.Values.server | quote }} }
# Kubernetes updates a mounted file when the secret changes, but not a variable.
- { name: DATAHUB_GMS_TOKEN_FILE, value: {{ printf "/var/run/datahub/%s" .token | quote }} }
- { name: NODE_OPTIONS, value: {{ .root.Values.nodeOptions | quote }} }
{{- end }}

{{- /* The catalog directory and the environment, as arguments. */}}
{{- define "datahub-gitops.args" -}}
- {{ .Values.directory | quote }}
{{- with .Values.environment }}
- {{ printf "--env=%s" . | quote }}
{{- end }}
{{- end }}

{{- /* Clones the repository with its history, the base and the runs. With `follows`, each pull also fetches the base and the runs. */}}
{{- define "datahub-gitops.clone" -}}
- name: clone
  command:
    - sh
    - -ec
    - |
      git clone --quiet "$@" /workspace/repository
      git -C /workspace/repository fetch --quiet origin '+refs/datahub-gitops/*:refs/datahub-gitops/*'
    - sh
    {{- if .follows }}
    - --config=remote.origin.fetch=+refs/datahub-gitops/*:refs/datahub-gitops/*
    {{- end }}
    {{- with .root.Values.branch }}
    - {{ printf "--branch=%s" . | quote }}
    {{- end }}
    - {{ .root.Values.repository | quote }}
  env: {{- include "datahub-gitops.gitEnv" .root | nindent 4 }}
  {{- include "datahub-gitops.container" (dict "root" .root "asks" false) | nindent 2 }}
{{- end }}
