import { InvalidArgumentError, Option } from "commander";
import type { Shard } from "../../model/plan.ts";

/** The option that chooses one of several shards. */
export function shardOption(description: string): Option {
  return new Option("--shard <i/n>", description).argParser(parseShard);
}

function parseShard(text: string): Shard {
  const [, index, of] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (shard.index <= shard.of) return shard;
  throw new InvalidArgumentError("Use the number of the shard, from 1, and how many there are, such as 1/4.");
}
