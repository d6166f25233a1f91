// node scripts/test/run-parts.ts [PART…]: runs the tests, all or the named parts, and prints one summed line at the end.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../checks/source-files.ts';
import { add, type Counts, nothing, summary } from './counts.ts';
import { PARTS } from './parts.ts';
import { provisionBeside } from './provision-beside.ts';
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
// Tests start hundreds of processes from the same sources: Node keeps what it has compiled of them.
process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules', '.cache', 'tests');
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    endPrograms();
    rmSync(home, { recursive: true, force: true });
    process.exit(130);
  });
}

const chosen = PARTS.filter((part) => named.length === 0 || named.includes(part.name));
provisionBeside(chosen.flatMap(({ needs = [] }) => needs));

const results: { name: string; counts: Counts; seconds: number }[] = [];
for (const { name, run } of chosen) {
  console.log(`\n── ${name} ──`);
  const started = Date.now();
  const counts = await run().catch((error: unknown) => {
    console.error(error);
    return { ...nothing, failed: 1 };
  });
  results.push({ name, counts, seconds: (Date.now() - started) / 1000 });
}
// What came too late for its test is not waited for.
endPrograms();
rmSync(home, { recursive: true, force: true });

console.log('');
for (const { name, counts, seconds } of results) console.log(`${name.padEnd(14)} ${seconds.toFixed(1).padStart(7)} s   ${summary(counts)}`);
const total = results.map(({ counts }) => counts).reduce(add, nothing);
console.log(summary(total));
process.exitCode = total.failed > 0 ? 1 : 0;
