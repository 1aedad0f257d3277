/** Jobs that may be launched, the first in file order first: a binary heap of job indexes. */

export interface ReadyQueue {
  push(index: number): void;
  /** The first index for which `isReady` holds; others are dropped, they come back when they are ready again. */
  peek(isReady: (index: number) => boolean): number | null;
}

export function createReadyQueue(): ReadyQueue {
  const heap: number[] = [];

  function push(index: number): void {
    let at = heap.length;
    heap.push(index);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]! <= index) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = index;
  }

  function pop(): void {
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= last) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
  }

  function peek(isReady: (index: number) => boolean): number | null {
    while (heap.length > 0 && !isReady(heap[0]!)) pop();
    return heap[0] ?? null;
  }

  return { push, peek };
}
