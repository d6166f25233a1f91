import { expect, test } from 'vitest';
import { adapterCommand, resolveConfiguration } from './src/configuration.ts';

test('without a configuration, the active flow is debugged from its first node', () => {
  expect(resolveConfiguration({}, '/w/orders.flow.yaml')).toEqual({
    configuration: { type: 'pravah', name: 'Debug flow', request: 'launch', program: '/w/orders.flow.yaml', stopOnEntry: true },
  });
  for (const file of [undefined, '/w/notes.yaml', '/w/orders.flow.ts'])
    expect(resolveConfiguration({}, file)).toEqual({ problem: expect.stringContaining('Open a flow') });
});

test('a complete configuration is passed on whole, and an incomplete one is refused with what to add', () => {
  const whole = { type: 'pravah', name: 'Mine', request: 'launch', program: 'a.flow.yaml', input: { n: 1 }, noDebug: true };
  expect(resolveConfiguration(whole, undefined)).toEqual({ configuration: whole });
  const attach = { type: 'pravah', name: 'Mine', request: 'attach', run: '42' };
  expect(resolveConfiguration(attach, undefined)).toEqual({ configuration: attach });
  const problemOf = (configuration: object) => resolveConfiguration({ type: 'pravah', name: 'Mine', ...configuration }, '/w/a.flow.yaml');
  expect(problemOf({ request: 'launch', program: ' ' })).toEqual({ problem: expect.stringContaining('Add "program"') });
  expect(problemOf({ request: 'attach' })).toEqual({ problem: expect.stringContaining('Add "run"') });
  expect(problemOf({ request: 'start' })).toEqual({ problem: expect.stringContaining('Unknown request "start"') });
});

test('the adapter is the program of the settings, and a setting of another form is ignored', () => {
  expect(adapterCommand({ path: ' /opt/pravah ', arguments: ['--trust'] })).toEqual({ command: '/opt/pravah', args: ['dap', '--trust'] });
  expect(adapterCommand({ path: '', arguments: 'no list' })).toEqual({ command: 'pravah', args: ['dap'] });
  expect(adapterCommand({ path: 7, arguments: [1, '--trust'] })).toEqual({ command: 'pravah', args: ['dap', '--trust'] });
});
