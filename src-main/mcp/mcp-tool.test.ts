import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Asked, ServerUnderTest } from '#main/mcp/testing/engine-call.ts';
import { everything, everythingOverHttp, filesystem, wayward } from '#main/mcp/testing/test-servers.ts';
import { temporaryProfile } from '#main/workspace/testing/profile.ts';
import { ToolError } from '#shared/run/error.ts';
import { approvedTools, approveTools } from './approvals.ts';
import { callKey } from './call-key.ts';
import { SharedServers, shareServers } from './shared-servers.ts';

let profile: Awaited<ReturnType<typeof temporaryProfile>>;
let folder: string;
beforeEach(async () => {
  profile = await temporaryProfile();
  folder = join(profile.root, 'workspace');
  await mkdir(folder);
});
afterEach(() => profile[Symbol.asyncDispose]());

const refused = async (call: Promise<unknown>) => {
  const error = await call.then(
    (value) => new Error(`expected a refusal, got ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (error instanceof ToolError) return error;
  throw error;
};

test('the reference filesystem server reads and writes, and reports which of its tools are read-only', async () => {
  await writeFile(join(folder, 'a.txt'), 'first\n');
  await using it = new ServerUnderTest(folder, filesystem(folder));
  const read = await it.tool('read_text_file');
  const write = await it.tool('write_file');
  expect([read.effect, read.approve, write.effect, write.approve]).toEqual(['read', 'never', 'write', 'always']);
  expect([write.idempotent, (await it.tool('edit_file')).idempotent]).toEqual([true, false]);
  expect(await it.call(read, { path: join(folder, 'a.txt') })).toEqual({ content: 'first\n' });
  await it.call(write, { path: join(folder, 'b.txt'), content: 'second' });
  expect(await it.call(read, { path: join(folder, 'b.txt') })).toEqual({ content: 'second' });
  expect((await refused(it.call(read, { path: '/etc/passwd' }))).message).toMatch(/denied/i);
});

test.runIf(process.platform === 'linux')('ends with all that a server started, also what left its process group', async () => {
  const script = 'setsid sleep 1000 & echo $! > pids; sleep 1000 & echo $! >> pids; exec "$@"';
  const settings = { ...wayward, command: 'sh', args: ['-c', script, 'sh', wayward.command, ...wayward.args] };
  const isRunning = async (pid: string) => /\) [^ZX]/.test(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''));
  let pids: string[] = [];
  {
    await using it = new ServerUnderTest(folder, settings);
    expect(await it.call(await it.tool('greet'), { name: 'Ada' })).toEqual(expect.stringContaining('Ada'));
    pids = (await readFile(join(folder, 'pids'), 'utf8')).trim().split('\n');
    expect(await Promise.all(pids.map(isRunning))).toEqual([true, true]);
  }
  for (const pid of pids) await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
});

describe.each(['stdio', 'streamable HTTP'] as const)('the reference everything server over %s', (way) => {
  test('calls with progress, structured content, images and questions', async () => {
    await using remote = way === 'stdio' ? null : await everythingOverHttp();
    await using it = new ServerUnderTest(folder, remote ? { url: remote.url, headers: {} } : everything);
    expect(await it.call(await it.tool('echo'), { message: 'grüß' })).toBe('Echo: grüß');
    const weather = await it.call(await it.tool('get-structured-content'), { location: 'Chicago' });
    expect(weather).toEqual({ temperature: expect.any(Number), conditions: expect.any(String), humidity: expect.any(Number) });
    expect(await it.call(await it.tool('get-tiny-image'))).toEqual([
      { type: 'text', text: expect.any(String) },
      { type: 'image', media_type: 'image/png', data: expect.stringMatching(/^iVBOR/) },
      { type: 'text', text: expect.any(String) },
    ]);
    expect(await it.call(await it.tool('trigger-long-running-operation'), { duration: 0.3, steps: 3 })).toContain('completed');
    // What comes together with the result is dropped by the protocol's library.
    expect(it.log[0]).toBe('mcp:it/trigger-long-running-operation: 1 of 3');
    const asking = await it.tool('trigger-elicitation-request');
    const asked = await it.call(asking);
    expect(asked).toMatchObject({ value: { kind: 'question', question: expect.stringContaining('Please provide inputs') } });
    expect(await it.resume(asking, asked, { name: 'Ada', check: true, integer: 4 })).toContain('Ada');
    const again = await it.call(asking);
    expect(await it.resume(asking, again, null)).toContain('declined');
  });
});

describe('a server that is not to be relied on', () => {
  let it: ServerUnderTest;
  beforeEach(() => {
    it = new ServerUnderTest(folder, wayward);
  });
  afterEach(() => it[Symbol.asyncDispose]());

  test('all pages of an MCP server’s tool list are read, and a tool with an external schema is left out with its reason', async () => {
    const { tools, faults } = await it.servers.offer('it');
    expect(tools).toHaveLength(12);
    expect(faults).toEqual([expect.stringMatching(/^remote: its input schema cannot be used/)]);
  });

  test('an MCP server cannot send a model text that is hidden from the user who approves it', async () => {
    const { description, input_schema } = await it.tool('hidden');
    expect(description).toBe('Seen, not heard.');
    expect(input_schema).toMatchObject({ properties: { a: { description: 'Plain', pattern: 'kept\u200b' } } });
  });

  test('an MCP tool whose description has changed needs a new approval', async () => {
    const greet = await it.tool('greet');
    await approveTools(folder, 'it', wayward, (await it.servers.offer('it')).tools);
    expect(await it.call(greet, { name: 'you' })).toBe('hello you');
    await it.call(await it.tool('change_words'));
    const asked = await it.call(greet);
    expect(asked).toMatchObject({ value: { question: expect.stringMatching(/has changed its tool greet.*Ignore the user/s) } });
    expect((await refused(it.resume(greet, asked, 'Refuse'))).variant).toBe('Denied');
    expect(await it.resume(greet, asked, 'Approve the change and call it')).toBe('hello undefined');
    expect(greet.description).toContain('Ignore the user');
    expect(await it.call(greet, { name: 'you' })).toBe('hello you');
    const approved = await approvedTools(folder, 'it', wayward);
    expect(approved.find(({ name }) => name === 'greet')?.description).toBe(greet.description);
    expect(await approvedTools(folder, 'it', { ...wayward, args: ['other'] })).toEqual([]);
  });

  test('an MCP call stays open while the user answers, and is repeated with the answers if the server has ended meanwhile', async () => {
    const asking = await it.tool('ask_twice');
    const first = await it.call(asking);
    const second = await it.resume(asking, first, { colour: 'red' });
    expect(second).toMatchObject({ value: { question: 'MCP server it asks: Which size?' } });
    await it.servers.stop('it');
    // The answer to the first question is not asked for again.
    expect(await it.resume(asking, second, { size: 'L' })).toBe('red and L');
  });

  test('threads share an MCP server: another thread can cancel a call, and a question outlives the thread that asked', async () => {
    const first = new MessageChannel();
    shareServers(first.port1, it.servers);
    const far = new SharedServers(first.port2);
    const { signal } = new AbortController();
    expect((await far.offer('it', signal)).tools).toHaveLength(12);
    const stopping = new AbortController();
    const onProgress = vi.fn(() => stopping.abort());
    const call = { key: '1', input: {}, onProgress };
    await expect(far.call('it', { ...call, tool: 'hang', signal: stopping.signal })).rejects.toMatchObject({ variant: 'Cancelled' });
    expect(onProgress).toHaveBeenCalledWith('1');
    await expect(far.call('it', { ...call, tool: 'die', signal })).rejects.toMatchObject({ variant: 'Io' });
    expect(await far.call('it', { ...call, tool: 'ask_twice', signal })).toMatchObject({ type: 'question', message: 'Which colour?' });
    far.close();

    const second = new MessageChannel();
    shareServers(second.port1, it.servers);
    const other = new SharedServers(second.port2);
    expect(await other.answer('it', '1', { colour: 'red' }, signal)).toMatchObject({ type: 'question', message: 'Which size?' });
    expect(await other.answer('it', '1', null, signal)).toMatchObject({ result: { content: [{ text: 'red and decline' }] } });
    expect(await other.answer('it', '1', null, signal)).toBeNull();
    const key = callKey({ run_id: 'run-1/call_2', node: 'N', tool_call_id: 'c' });
    await other.call('it', { ...call, key, tool: 'ask_twice', signal });
    it.servers.forget('run-1');
    expect(await other.answer('it', key, null, signal)).toBeNull();
    other.close();
  });

  test('an ambiguous question during several MCP calls is cancelled, and later calls run one after another', async () => {
    const asking = await it.tool('ask_twice');
    const outcomes = await Promise.all(['a', 'b'].map((id) => it.call(asking, {}, { tool_call_id: id })));
    expect(outcomes.some((outcome) => typeof outcome === 'string' && outcome.includes('cancel'))).toBe(true);
    const retried = await it.call(asking, {}, { tool_call_id: 'c' });
    expect(retried).toBeInstanceOf(Asked);
  });

  test('an MCP server receives only the allowed environment variables, and those of its settings with secrets filled in', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-not-for-servers');
    const env = { TOKEN: 'Bearer {secret:THE_TOKEN}' };
    await using its = new ServerUnderTest(folder, { ...wayward, env }, { readSecrets: async () => ({ THE_TOKEN: 't0ken' }) });
    const variables = JSON.parse((await its.call(await its.tool('variables'))) as string) as Record<string, string>;
    vi.unstubAllEnvs();
    expect(Object.keys(variables).filter((name) => !/^(HOME|LOGNAME|PATH|SHELL|TERM|USER|TOKEN|PRAVAH_PROCESS_MARK)$/.test(name))).toEqual(
      [],
    );
    expect(variables.TOKEN).toBe('Bearer t0ken');
    await using none = new ServerUnderTest(folder, { ...wayward, env });
    await expect(none.servers.offer('it')).rejects.toMatchObject({ options: { code: 'CONFIG_SECRET_MISSING' } });
  });

  test('an MCP server is notified when a call is cancelled or times out', async () => {
    const stopping = new AbortController();
    const hanging = it.call(await it.tool('hang'), {}, { signal: stopping.signal });
    await expect.poll(() => it.log).toEqual(['mcp:it/hang: 1']);
    stopping.abort();
    await expect(hanging).rejects.toMatchObject({ variant: 'Cancelled' });
    await expect.poll(() => it.servers.state('it').last_words).toContain('told to stop');
    await using impatient = new ServerUnderTest(folder, { ...wayward, timeout: 0.05 });
    expect((await refused(impatient.call(await impatient.tool('hang')))).variant).toBe('Timeout');
  });

  test('an MCP server that sends an endless message is terminated, and a long answer is truncated', async () => {
    expect(await it.call(await it.tool('long'))).toMatch(/^y{262144}\n\[cut off: 45056 more characters\]$/);
    expect((await refused(it.call(await it.tool('flood')))).variant).toBe('Io');
    expect(it.servers.state('it')).toMatchObject({ state: 'failed' });
  });

  test('a chatty MCP server fills neither log nor screen, and its tool list changes are reported at intervals', async () => {
    const onChange = vi.fn();
    await using its = new ServerUnderTest(folder, wayward, { onChange });
    const rant = await its.tool('rant');
    const told = onChange.mock.calls.length;
    const asked = await its.call(rant);
    expect(asked).toBeInstanceOf(Asked);
    expect(String((asked as Asked).value.question).length).toBeLessThan(10_000);
    expect(Math.max(...its.log.map((line) => line.length))).toBeLessThan(2_000);
    await expect.poll(() => onChange.mock.calls.length).toBeGreaterThan(told);
    expect(onChange.mock.calls.length).toBeLessThan(told + 5);
  });

  test('a crash of an MCP server fails the call, and the server is restarted after growing pauses', async () => {
    const rests: number[] = [];
    const wait = async (duration: number) => void rests.push(duration);
    await using its = new ServerUnderTest(folder, wayward, { rests: [10, 20], now: () => 0, wait });
    const die = await its.tool('die');
    const failure = await refused(its.call(die));
    expect([failure.variant, failure.message]).toEqual(['Io', expect.stringContaining('giving up the ghost')]);
    expect(its.servers.state('it')).toMatchObject({ state: 'failed', last_words: 'giving up the ghost' });
    await refused(its.call(die));
    const greet = await its.tool('greet');
    expect(rests).toEqual([10, 20]);
    expect(await its.call(greet, { name: 'again' })).toBe('hello again');
  });

  test('an MCP server is offered neither sampling nor roots', async () => {
    const refusals = JSON.parse((await it.call(await it.tool('sample'))) as string) as string[];
    expect(refusals).toEqual([expect.stringContaining('Method not found'), expect.stringContaining('Method not found')]);
  });

  test('reports an MCP tool that fails, cannot start or no longer exists', async () => {
    expect(await refused(it.call(await it.tool('fail')))).toMatchObject({ variant: 'Other', message: 'no such thing' });
    await using absent = new ServerUnderTest(folder, { command: 'no-such-program-anywhere', args: [], env: {} });
    expect((await refused(absent.servers.offer('it'))).message).toMatch(/Can't reach.*ENOENT/s);
    await using silent = new ServerUnderTest(folder, { url: 'http://127.0.0.1:9/mcp', headers: {} });
    expect((await refused(silent.servers.offer('it'))).message).toMatch(/Can't reach/);
  });
});
