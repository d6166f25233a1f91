import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import type { StreamName } from '#main/hosts/cli/output/terminal.ts';
import { RingReader, RingWriter, ringMemory } from './output-ring.ts';

function ring() {
  const memory = ringMemory();
  const got: [StreamName, string][] = [];
  let rings = 0;
  const writer = new RingWriter(memory, () => rings++);
  const reader = new RingReader(memory, (stream, bytes) => got.push([stream, Buffer.from(bytes).toString()]));
  return { memory, got, writer, reader, rings: () => rings };
}

test('texts arrive in order, those of the same stream together, with one ring until the reader drains', () => {
  const { got, writer, reader, rings } = ring();
  writer.write('stdout', 'a\n');
  writer.write('stdout', 'ü𝄞\n');
  writer.write('stderr', 'b\n');
  writer.write('stdout', 'c\n');
  expect(rings()).toBe(1);
  reader.drain();
  expect(got).toEqual([
    ['stdout', 'a\nü𝄞\n'],
    ['stderr', 'b\n'],
    ['stdout', 'c\n'],
  ]);
  writer.write('stdout', 'd\n');
  expect(rings()).toBe(2);
});

test('texts that wrap around the end of the memory arrive whole', () => {
  const { got, writer, reader } = ring();
  const text = 'x'.repeat(199_999);
  for (let index = 0; index < 40; index++) {
    writer.write('stdout', `${index}${text}`);
    reader.drain();
  }
  expect(got.map(([, bytes]) => bytes)).toEqual(Array.from({ length: 40 }, (_, index) => `${index}${text}`));
});

test('positions beyond 2³¹ bytes wrap around', () => {
  const { memory, got, writer, reader } = ring();
  new Int32Array(memory).fill(0x7fffffff - 3, 0, 2);
  writer.write('stdout', 'across the limit');
  reader.drain();
  writer.write('stdout', 'beyond it');
  reader.drain();
  expect(got.map(([, bytes]) => bytes)).toEqual(['across the limit', 'beyond it']);
});

test('a writer waits while the ring is full, and what it wrote survives its termination', async () => {
  const memory = ringMemory();
  const program = `
    import { parentPort, workerData } from 'node:worker_threads';
    const { RingWriter } = await import(workerData.url);
    const writer = new RingWriter(workerData.memory, () => parentPort.postMessage('ring'));
    for (let index = 0; index < 20; index++) writer.write('stdout', String(index).padEnd(300_000));
    for (;;) {}
  `;
  const url = new URL('./output-ring.ts', import.meta.url).href;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), { workerData: { memory, url } });
  let bytes = '';
  const reader = new RingReader(memory, (_, part) => {
    bytes += Buffer.from(part).toString();
  });
  while (bytes.length < 5 * 300_000) {
    await once(worker, 'message');
    reader.drain();
  }
  const drained = () => {
    reader.drain();
    return bytes.length;
  };
  await expect.poll(drained).toBe(20 * 300_000);
  await worker.terminate();
  expect(bytes.trimEnd().split(/ +/)).toEqual(Array.from({ length: 20 }, (_, index) => String(index)));
});
