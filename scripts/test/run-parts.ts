// node scripts/test/run-parts.ts [PART…]: runs the tests, all or the named parts, and prints one summed line at the end.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { add, type Counts, nothing, summary } from './counts.ts';
import { PARTS, type Part } from './parts.ts';
import { endPrograms } from './run-program.ts';

const named = process.argv.slice(2);
const unknown = named.find((name) => !PARTS.some((part) => part.name === name));
if (unknown !== undefined) {
  console.error(`There is no part "${unknown}". Parts: ${PARTS.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

// Tests find no settings of the person who runs them, and leave none.
const home = mkdtempSync(join(tmpdir(), 'pravah-test-home-'));
process.env.PRAVAH_HOME = home;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    endPrograms();
    rmSync(home, { recursive: true, force: true });
    process.exit(130);
  });
}

const results: { name: string; counts: Counts; seconds: number }[] = [];
for (const group of groupsOf(PARTS.filter((part) => named.length === 0 || named.includes(part.name)))) {
  console.log(`\n── ${group.map(({ name }) => name).join(', ')} ──`);
  results.push(...(await Promise.all(group.map(timed))));
}
rmSync(home, { recursive: true, force: true });

console.log('');
for (const { name, counts, seconds } of results) console.log(`${name.padEnd(18)} ${seconds.toFixed(1).padStart(7)} s   ${summary(counts)}`);
const total = results.map(({ counts }) => counts).reduce(add, nothing);
console.log(summary(total));
process.exitCode = total.failed > 0 ? 1 : 0;

/** The parts in their order; those that run at the same time stand together. */
function groupsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const groups: Part[][] = [];
  for (const part of parts) {
    const beside = groups.find((group) => group.some(({ name }) => name === part.beside));
    if (beside) beside.push(part);
    else groups.push([part]);
  }
  return groups;
}

async function timed({ name, run }: Part) {
  const started = Date.now();
  const counts = await run().catch((error: unknown) => {
    console.error(error);
    return { ...nothing, failed: 1 };
  });
  return { name, counts, seconds: (Date.now() - started) / 1000 };
}
