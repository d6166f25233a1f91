import { z } from 'zod';
import type { PathScope } from '#main/platform/files/resolve-path.ts';
import { listStoredFiles, readStoredFile, writeStoredFile } from './stored-files.ts';

const memorySchema = z.object({ text: z.string(), tags: z.array(z.string()), saved_at: z.string() });

/** A text that a workspace remembers across runs. `saved_at` is an ISO time. */
export type Memory = z.infer<typeof memorySchema>;

const memoryFolder = 'memory';
/** Maximum number of memories to read, latest first. */
const maxMemories = 5_000;

/** Saves a memory; `id` is unique and sorts by time. */
export async function saveMemory(scope: PathScope, id: string, memory: Memory): Promise<void> {
  await writeStoredFile(scope, [memoryFolder, `${id}.json`], `${JSON.stringify(memory, null, 2)}\n`);
}

/** Returns all memories, oldest first. Invalid files are skipped. */
export async function allMemories(scope: PathScope): Promise<Memory[]> {
  const names = (await listStoredFiles(scope, [memoryFolder])).filter((name) => name.endsWith('.json'));
  const read = await Promise.all(
    names.slice(-maxMemories).map((name) => readStoredFile(scope, [memoryFolder, name]).then(parseMemory, () => null)),
  );
  return read.filter((memory) => memory !== null);
}

/** Ranks memories by relevance to a query, best first: those that share its rarest words (tf-idf). */
export function relevantMemories(memories: readonly Memory[], query: string, limit: number): Memory[] {
  const bags = memories.map(({ text, tags }) => wordCounts([text, ...tags].join(' ')));
  const words = [...wordCounts(query).keys()];
  const weights = words.map((word) => Math.log(1 + memories.length / (1 + bags.filter((bag) => bag.has(word)).length)));
  const scored = memories.map((memory, index) => {
    const bag = bags[index] as ReadonlyMap<string, number>;
    const length = Math.sqrt([...bag.values()].reduce((sum, count) => sum + count, 1));
    const score = words.reduce((sum, word, at) => sum + ((bag.get(word) ?? 0) * (weights[at] as number)) / length, 0);
    return { memory, score, index };
  });
  const found = scored.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score || other.index - one.index);
  return found.slice(0, limit).map(({ memory }) => memory);
}

/** Words of at least two letters, without case and accents. */
function wordCounts(text: string): Map<string, number> {
  const words =
    text
      .normalize('NFKD')
      .replace(/\p{Mark}/gu, '')
      .toLowerCase()
      .match(/[\p{Letter}\p{Number}]{2,}/gu) ?? [];
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function parseMemory(text: string | null): Memory | null {
  try {
    return memorySchema.parse(JSON.parse(text ?? ''));
  } catch {
    return null;
  }
}
