/**
 * Tests of flows without models, times and people.
 *
 * @module pravah/testing
 */

export { type CapsuleTestOptions, expectReplays, testCapsule } from '#main/sdk/scripted/expect-replays.ts';
export { type FakeClock, fakeClock } from '#main/sdk/scripted/fake-clock.ts';
export { recordedModel, recordModel } from '#main/sdk/scripted/recorded-model.ts';
export { type Script, type ScriptedModel, type ScriptedTurn, scriptedModel } from '#main/sdk/scripted/scripted-model.ts';
export { type Answers, expectSound, restartEverywhere, type TestRunOptions, testRun } from '#main/sdk/scripted/test-run.ts';
