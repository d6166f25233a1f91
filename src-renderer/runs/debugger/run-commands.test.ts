import { describe, expect, it } from 'vitest';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import type { RunStatus } from '#shared/contract/runs.ts';
import { actionOf, runCommands, waitsForRunning } from './run-commands.ts';

const flow = { path: 'a.flow.yaml', text: '', errors: 0 };

type Session = Parameters<typeof actionOf>[1];

function session(status: RunStatus | null, change: Partial<Session> = {}, run: Partial<RunView> = {}): Session {
  const view = status && ({ flow_path: 'a.flow.yaml', status, seq: 5, agents: {}, timeline: [], ...run } as RunView);
  return { view, call: null, selected: null, pausing: false, stopping: false, ...change };
}

const possible = (state: Session, subject: typeof flow | null = flow) =>
  runCommands.filter((command) => actionOf(command, state, subject) !== null).join(' ');

describe('the run commands', () => {
  it('depend on the status of the run', () => {
    expect(possible(session(null), null)).toBe('');
    expect(possible(session(null))).toBe('run continue over into');
    expect(possible(session('paused'))).toBe('run continue over into back stop');
    expect(possible(session('paused', {}, { agents: { A: { phase: 'act', turn: 1 } } }))).toBe('run continue over into out back stop');
    const inItem: Partial<RunView> = { timeline: [{ node: 'Items[2]::Draft' } as RunView['timeline'][number]] };
    expect(possible(session('paused', {}, inItem))).toBe('run continue over into out back stop');
    expect(actionOf('out', session('paused', {}, inItem), flow)).toEqual({ type: 'step', mode: 'out' });
    for (const status of ['running', 'queued'] as const) expect(possible(session(status))).toBe('run back pause stop');
    expect(possible(session('suspended'))).toBe('run continue over into back stop');
    for (const status of ['success', 'error', 'cancelled'] as const) expect(possible(session(status))).toBe('run continue over into back');
  });

  it('do nothing twice while a call is running, but can always pause and stop', () => {
    expect(possible(session('paused', { call: 'step' }))).toBe('back pause stop');
    expect(possible(session('paused', { call: 'continue' }))).toBe('back stop');
    expect(possible(session('running', { pausing: true, stopping: true }))).toBe('run back');
    expect(possible(session(null, { call: 'start' }))).toBe('');
  });

  it('continue a run that is held inside a step, while the call that drives it goes on', () => {
    const held = session('running', { call: 'step' }, { stop: { point: 'hold' } as RunView['stop'] });
    expect(possible(held)).toBe('continue over into out back stop');
    expect(actionOf('continue', held, flow)).toEqual({ type: 'continue_held', mode: 'continue' });
    expect(actionOf('into', held, flow)).toEqual({ type: 'continue_held', mode: 'into' });
  });

  it('view a read-only run, and start a new one beside it', () => {
    expect(possible(session('paused', {}, { read_only: true }))).toBe('run continue over into back');
    expect(actionOf('over', session('suspended', {}, { read_only: true }), flow)).toEqual({ type: 'request', flow, pace: 'pause' });
    expect(actionOf('over', session('paused', { selected: 2 }, { read_only: true }), flow)).toEqual({ type: 'look', seq: 3 });
  });

  it('start a run if none is shown, or the shown one has ended', () => {
    expect(actionOf('continue', session(null), flow)).toEqual({ type: 'request', flow, pace: 'continue' });
    expect(actionOf('over', session('success'), flow)).toEqual({ type: 'request', flow, pace: 'pause' });
  });

  it('drive the shown run', () => {
    expect(actionOf('continue', session('paused'), flow)).toEqual({ type: 'continue' });
    expect(actionOf('over', session('paused'), flow)).toEqual({ type: 'step', mode: 'over' });
    expect(actionOf('into', session('suspended'), flow)).toEqual({ type: 'show_waiting' });
  });

  it('walk through the past without running anything', () => {
    const past = session('paused', { selected: 2 });
    expect(actionOf('back', past, flow)).toEqual({ type: 'look', seq: 1 });
    expect(actionOf('over', past, flow)).toEqual({ type: 'look', seq: 3 });
    expect(actionOf('into', past, flow)).toEqual({ type: 'look', seq: 3 });
    expect(actionOf('continue', past, flow)).toEqual({ type: 'look', seq: null });
    expect(actionOf('out', past, flow)).toBeNull();
    expect(actionOf('back', session('paused', { selected: 0 }), flow)).toBeNull();
    expect(actionOf('back', session('success'), flow)).toEqual({ type: 'look', seq: 4 });
  });

  it('leave alone the run of a flow that is not shown', () => {
    const other = { ...flow, path: 'b.flow.yaml' };
    expect(actionOf('stop', session('paused'), other)).toBeNull();
    expect(actionOf('continue', session('paused'), other)).toEqual({ type: 'request', flow: other, pace: 'continue' });
  });

  it('wait for a running step if they drive the run', () => {
    const keep = (state: Session) => runCommands.filter((command) => waitsForRunning(command, state)).join(' ');
    expect(keep(session('paused', { call: 'step' }))).toBe('continue over into out');
    expect(keep(session('suspended', { call: 'answer' }))).toBe('continue over into out');
    expect(keep(session('paused'))).toBe('');
    expect(keep(session('running', { call: 'continue' }))).toBe('');
    expect(keep(session('paused', { call: 'step', selected: 2 }))).toBe('');
  });
});
