import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { generateWorkflow } from './generate-workflow.ts';
import { runWorkflow, type WorkflowResult } from './run-workflow.ts';

/** What PyFlow did with the workflows of the seeds from 1, a line each. */
const results = readFileSync(join(import.meta.dirname, 'pyflow-results.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as WorkflowResult);

/** Every tenth, beginning with another one each day; `npm run soak -- generated-workflows` takes all. */
const step = process.env.PRAVAH_SOAK ? 1 : 10;
const first = process.env.PRAVAH_SOAK ? 0 : Number(process.env.PRAVAH_TEST_SEED ?? Math.floor(Date.now() / 86_400_000)) % step;

describe('generated workflows', () => {
  it('end with the state, the content and the order of answers that PyFlow recorded', async () => {
    expect(results).toHaveLength(1000);
    const different: object[] = [];
    for (let index = first; index < results.length; index += step) {
      const seed = index + 1;
      const here = await runWorkflow(generateWorkflow(seed));
      if (!isDeepStrictEqual(here, results[index])) different.push({ seed, here, pyflow: results[index] });
    }
    expect(different.slice(0, 5)).toEqual([]);
  });
});
