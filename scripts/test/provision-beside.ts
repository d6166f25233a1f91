import { join } from 'node:path';
import { ROOT } from '#scripts/checks/source-files.ts';
import { runProgram } from './run-program.ts';

/** What `scripts/test-parts.mjs` brings, by its names there. */
export type TestPart =
  | 'git'
  | 'chromium'
  | 'virtualDisplay'
  | 'electronVehicle'
  | 'secretService'
  | 'localModel'
  | 'ollamaServer'
  | 'postgres'
  | 'schemathesis'
  | 'mcpInspector'
  | 'workerd';

/** Its path, or why it is not available here. */
export type Provisioned = { readonly path: string } | { readonly reason: string };

/** Takes minutes of compiling and is needed last, so it is brought in the time that the tests leave. */
const PATIENT: readonly TestPart[] = ['ollamaServer'];

/** How long a test waits for a part. What was begun is gone on with the next time. */
const WAIT_MINUTES = 6;

const coming = new Map<TestPart, Promise<Provisioned>>();

/**
 * Begins to bring what tests need while other tests run. One after the other, since most of them wait for the network and for
 * Debian's package lists, which one process has at a time; a patient one beside them.
 */
export function provisionBeside(needs: readonly TestPart[]): void {
  let before: Promise<unknown> = Promise.resolve();
  for (const name of new Set(needs)) {
    const patient = PATIENT.includes(name);
    const part = patient ? bring(name, patient) : before.then(() => bring(name, patient));
    coming.set(name, part);
    if (!patient) before = part;
  }
}

/** Waits until a part has been brought, or could not be. */
export async function provisioned(name: TestPart): Promise<Provisioned> {
  const { promise: tooLong, resolve } = Promise.withResolvers<Provisioned>();
  const timer = setTimeout(() => resolve({ reason: `it was not there after ${WAIT_MINUTES} more minutes` }), WAIT_MINUTES * 60_000);
  const part = await Promise.race([coming.get(name) ?? bring(name, false), tooLong]);
  clearTimeout(timer);
  return part;
}

async function bring(name: TestPart, lowPriority: boolean): Promise<Provisioned> {
  const program = join(ROOT, 'scripts', 'test-parts.mjs');
  const { output } = await runProgram(process.execPath, [program, name], { limitMinutes: 30, lowPriority });
  return readProvisioned(name, output);
}

/** Reads the line that `test-parts.mjs` prints for a part. */
export function readProvisioned(name: TestPart, output: string): Provisioned {
  const said = output
    .split('\n')
    .findLast((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2);
  if (said === undefined) return { reason: 'bringing it was cut off' };
  const why = /^not here: (.*)/.exec(said)?.[1];
  return why === undefined ? { path: said } : { reason: why };
}
