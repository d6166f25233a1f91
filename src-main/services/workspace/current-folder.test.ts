import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryPlaces } from '#main/services/testing/studio-client.ts';
import { CurrentFolder } from './current-folder.ts';

test('a change of a folder that is described slowly is not reported once another folder is open', async () => {
  const { folder, home } = await temporaryPlaces(onTestFinished);
  const other = join(await realpath(join(home, '..')), 'other');
  await mkdir(other);
  const current = new CurrentFolder({}, folder);
  onTestFinished(() => current.close());
  const session = await current.required();
  const describe = session.describe.bind(session);
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: described, resolve: onDescribed } = Promise.withResolvers<void>();
  session.describe = async () => {
    const workspace = await describe();
    onDescribed();
    await opened;
    return workspace;
  };
  const events: string[] = [];
  const reading = (async () => {
    for await (const event of current.events.read(undefined)) events.push(`${event.type} ${event.workspace?.folder}`);
  })();
  const notified = current.notifyChanged([]);
  await described;
  await current.open(other);
  open();
  await notified;
  await current.notifyChanged([]);
  await current.close();
  await reading;
  expect(events).toEqual([`opened ${other}`, `changed ${other}`]);
});
