/**
 * Tests of flows without models, times and people.
 *
 * @module pravah/testing
 */

export { type FakeClock, fakeClock } from '#main/sdk/scripted/fake-clock.ts';
export { type Script, type ScriptedModel, type ScriptedTurn, scriptedModel } from '#main/sdk/scripted/scripted-model.ts';
export { type Answers, expectSound, restartEverywhere, type TestRunOptions, testRun } from '#main/sdk/scripted/test-run.ts';
