import { describe, expect, test } from 'vitest';
import { refusal, Suspended, TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import type { JsonObject } from '#shared/json.ts';
import { askUserTool } from './ask-user.ts';

async function asked(input: JsonObject): Promise<Suspended> {
  await using workspace = await TestWorkspace.make();
  try {
    await workspace.call(askUserTool, input);
  } catch (error) {
    if (error instanceof Suspended) return error;
    throw error;
  }
  throw new Error('it did not suspend');
}

describe('ask_user', () => {
  test('waits for text by default', async () => {
    const { value, payloadSchema } = await asked({ question: 'Which colour?' });
    expect([value, payloadSchema]).toEqual([{ kind: 'question', question: 'Which colour?' }, { type: 'string' }]);
  });

  test('waits for one of the choices', async () => {
    const { value, payloadSchema } = await asked({ question: '?', choices: ['red', 'blue'] });
    expect([value, payloadSchema]).toEqual([{ kind: 'question', question: '?', choices: ['red', 'blue'] }, { enum: ['red', 'blue'] }]);
  });

  test('waits for what fits the schema', async () => {
    expect((await asked({ question: '?', schema: { type: 'integer' } })).payloadSchema).toEqual({ type: 'integer' });
    expect((await asked({ question: '?', schema: true })).payloadSchema).toBe(true);
  });

  test.each<JsonObject>([{ type: 'nothing' }, { $ref: 'https://example.org/schema' }, { pattern: '(?=a)' }])(
    'asks no question if the answer fits %j',
    async (schema) => {
      expect((await refusal(asked({ question: '?', schema }))).options.details).toMatchObject({ field: 'schema' });
    },
  );
});
