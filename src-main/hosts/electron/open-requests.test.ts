import { describe, expect, test } from 'vitest';
import { requestOfArguments, requestOfLink } from './open-requests.ts';

const id = '0199f2a0-7c1e-7000-8000-0123456789ab';

describe('a link', () => {
  test('names a run to show', () => {
    expect(requestOfLink(`pravah://run/${id}`)).toEqual({ type: 'run', run_id: id });
    expect(requestOfLink(`PRAVAH://run/${id.toUpperCase()}/`)).toEqual({ type: 'run', run_id: id });
  });

  test.each([
    `pravah://run/${id}?approve=true`,
    `pravah://run/${id}#approve`,
    `pravah://run/${id}/approve`,
    `pravah://approve/${id}`,
    `pravah://run/../${id}`,
    `pravah://run/${id}%0a`,
    `pravah:run/${id}`,
    `https://run/${id}`,
    'pravah://run/',
    'pravah://run/--folder',
    '',
  ])('%s is nothing', (link) => {
    expect(requestOfLink(link)).toBeNull();
  });
});

describe('a command line', () => {
  test('names a folder, a flow or a link', () => {
    expect(requestOfArguments(['/app', '--no-sandbox', '--folder', '/flows'], '/home/user')).toEqual({
      type: 'folder',
      folder: '/flows',
    });
    expect(requestOfArguments(['/app', '/flows/a.flow.yaml'], '/home/user')).toEqual({ type: 'flow', file: '/flows/a.flow.yaml' });
    expect(requestOfArguments(['/app', '--folder', 'x'], '/home/user')).toEqual({ type: 'folder', folder: '/home/user/x' });
    expect(requestOfArguments(['/app', `pravah://run/${id}`], '/home/user')).toEqual({ type: 'run', run_id: id });
  });

  test('may name nothing', () => {
    expect(requestOfArguments([], '/home/user')).toBeNull();
    expect(requestOfArguments(['/app', '--folder'], '/home/user')).toBeNull();
    expect(requestOfArguments(['/app', '--x=/a.flow.yaml', '/notes.yaml'], '/home/user')).toBeNull();
  });
});
