// node scripts/test/run-parts.ts [--stress] [PART…]: runs the tests, all or the named parts, and prints one summed line at the end.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { slowness } from '#main/testing/slowness.ts';
import { ROOT } from '#scripts/checks/source-files.ts';
import { startBurners } from './burners.ts';
import { add, type Counts, nothing, summary } from './counts.ts';
import { readOptions, type TestOptions } from './options.ts';
import { PARTS } from './parts.ts';
import { provisionBeside } from './provision-beside.ts';
import { endPrograms } from './run-program.ts';

/** Beside burners, programs have a half or a third of each core. */
const STRESS_SLOWNESS = 4;

const options = optionsOrEnd();
// Tests find no settings of the person who runs them, and leave none.
const home = mkdtempSync(join(tmpdir(), 'pravah-test-home-'));
const notes = join(home, 'notes');
process.env.PRAVAH_HOME = home;
process.env.PRAVAH_TEST_NOTES = notes;
process.env.PRAVAH_TEST_SLOWNESS = String(slowness * (options.stress ? STRESS_SLOWNESS : 1));
// Tests start hundreds of processes from the same sources: Node keeps what it has compiled of them.
process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules', '.cache', 'tests');

interface PartResult {
  readonly name: string;
  readonly counts: Counts;
  readonly seconds: number;
}

const results: PartResult[] = [];
const burners = options.stress ? startBurners() : undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    results.push({ name: signal, counts: { ...nothing, failed: 1 }, seconds: 0 });
    end();
    process.exit(130);
  });
}

const chosen = PARTS.filter(({ name }) => options.names.length === 0 || options.names.includes(name));
provisionBeside(chosen.flatMap(({ needs = [] }) => needs));
for (const { name, run } of chosen) {
  console.log(`\n── ${name} ──`);
  const started = Date.now();
  const counts = await run().catch((error: unknown) => {
    console.error(error);
    return { ...nothing, failed: 1 };
  });
  results.push({ name, counts, seconds: (Date.now() - started) / 1000 });
}
end();

function optionsOrEnd(): TestOptions {
  try {
    return readOptions(
      process.argv.slice(2),
      PARTS.map(({ name }) => name),
    );
  } catch (error) {
    console.error((error as Error).message);
    console.log(summary({ ...nothing, failed: 1 }));
    process.exit(2);
  }
}

/** Ends what still runs, and prints the summary. */
function end(): void {
  burners?.[Symbol.dispose]();
  // What came too late for its test is not waited for.
  endPrograms();
  console.log('');
  // A file that vitest reads twice notes twice.
  if (existsSync(notes)) for (const line of new Set(readFileSync(notes, 'utf8').trimEnd().split('\n'))) console.log(line);
  rmSync(home, { recursive: true, force: true });
  for (const { name, counts, seconds } of results)
    console.log(`${name.padEnd(14)} ${seconds.toFixed(1).padStart(7)} s   ${summary(counts)}`);
  const total = results.map(({ counts }) => counts).reduce(add, nothing);
  console.log(summary(total));
  process.exitCode = total.failed > 0 ? 1 : 0;
}
