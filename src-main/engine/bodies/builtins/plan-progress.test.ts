import { describe, expect, test } from 'vitest';
import { beginPlan, hasNextStep, nextStep, type PlanStep, recordStep } from './plan-progress.ts';

const policy = { name: 'begin_plan', planner: 'script://plan.json', max_steps: 3, linear: true } as const;
const step = (name: string, ...needs: string[]): PlanStep => ({ name, instruction: `do ${name}`, needs });
const begin = (steps: readonly PlanStep[], linear = true) => beginPlan('task', { rationale: 'because', steps }, { ...policy, linear });

test('a plan is gone through step by step, each with the results so far', () => {
  let progress = begin([step('one'), step('two')]);
  expect(progress.trace).toEqual({ planner_id: 'script://plan.json', rationale: 'because', step_count: 2 });
  expect(nextStep(progress)).toEqual({ input: 'task', step: { name: 'one', instruction: 'do one' }, results: [] });
  progress = recordStep(progress, { text: '1' });
  expect(nextStep(progress)).toEqual({
    input: 'task',
    step: { name: 'two', instruction: 'do two' },
    results: [{ name: 'one', text: '1' }],
  });
  expect(hasNextStep(progress)).toBe(true);
  expect(hasNextStep(recordStep(progress, { text: '2' }))).toBe(false);
});

describe('a plan that need not be linear', () => {
  test('is done in an order that gives each step what it needs, and nothing else', () => {
    let progress = begin([step('sum', 'left', 'right'), step('left'), step('right', 'left')], false);
    expect(progress.steps.map(({ name }) => name)).toEqual(['left', 'right', 'sum']);
    progress = recordStep(recordStep(progress, { text: 'L' }), { text: 'R' });
    expect(nextStep(progress)).toMatchObject({ step: { name: 'sum' }, results: [{ name: 'left' }, { name: 'right' }] });
    expect(nextStep({ ...progress, steps: [step('left'), step('right'), step('alone')] })).toMatchObject({ results: [] });
  });

  test.each([
    ['a step that it has not', [step('one', 'none')], 'its step "one" needs "none", which is not a step of the plan'],
    ['steps that need each other', [step('one', 'two'), step('two', 'one')], 'its steps "one", "two" need each other'],
  ])('is refused for %s', (_, steps, message) => {
    expect(() => begin(steps, false)).toThrow(message);
  });
});

test.each([
  ['more steps than allowed', ['a', 'b', 'c', 'd'], 'it has 4 steps, and 3 are allowed'],
  ['two steps of one name', ['a', 'a'], 'two of its steps have the same name'],
])('a plan with %s is ORCHESTRATION_STEP_MISMATCH', (_, names, message) => {
  expect(() => begin(names.map((name) => step(name)))).toThrow(
    expect.objectContaining({
      message: `The plan is invalid: ${message}.`,
      options: expect.objectContaining({ code: 'ORCHESTRATION_STEP_MISMATCH' }),
    }),
  );
});
