/** Gives one number after the other. */
export interface NumberCursor {
  next(): number;
}

/** A list of whole numbers, four bytes each, that grows without being copied. */
export interface NumberList {
  /** Adds numbers, which stay together, and tells where they begin. */
  append(numbers: readonly number[]): number;
  from(start: number): NumberCursor;
}

const blockSize = 65_536;

/** An empty list. */
export function numberList(): NumberList {
  const blocks: Int32Array[] = [];
  let block = new Int32Array(0);
  let used = 0;
  return {
    append: (numbers) => {
      if (used + numbers.length > block.length) {
        block = new Int32Array(Math.max(blockSize, numbers.length));
        blocks.push(block);
        used = 0;
      }
      block.set(numbers, used);
      const start = (blocks.length - 1) * blockSize + used;
      used += numbers.length;
      return start;
    },
    from: (start) => cursorIn(blocks[Math.floor(start / blockSize)] ?? block, start % blockSize),
  };
}

function cursorIn(numbers: Int32Array, start: number): NumberCursor {
  let at = start;
  return {
    next: () => {
      const number = numbers[at] ?? 0;
      at += 1;
      return number;
    },
  };
}
