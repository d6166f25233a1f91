import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningServer, serve } from '#main/hosts/server/serve.ts';
import { PostgresServer, withoutPostgres } from '#main/testing/postgres-server.ts';
import type { Scope } from '#shared/contract/server/common.ts';
import type { Json, JsonObject } from '#shared/json.ts';

/** A flow that adds one and then asks a person. */
export const askFlow = `pravah: 1
name: ask
input: Question
output: Reply
schemas:
  Question: { type: object, properties: { n: { type: number } }, required: [n] }
  Reply: { type: object, properties: { ok: { type: boolean } }, required: [ok] }
  Checked: { type: object, properties: { n: { type: number } }, required: [n] }
nodes:
  - { kind: work, from: Question, to: Checked, expr: "{ n: n + 1 }" }
  - { kind: suspend, from: Checked, to: Reply }
`;

/** A flow that ends by itself. */
export const addFlow = `pravah: 1
name: add
input: A
output: B
schemas:
  A: { type: object, properties: { n: { type: number } }, required: [n] }
  B: { type: object, properties: { n: { type: number } }, required: [n] }
nodes:
  - { kind: work, from: A, to: B, expr: "{ n: n + 1 }" }
`;

/** A flow that counts up to what it is asked, two steps for each number. */
export const countFlow = `pravah: 1
name: count
input: Counter
output: Done
limits: { steps: 1000000 }
schemas:
  Counter: { type: object, properties: { n: { type: number }, to: { type: number } }, required: [n, to] }
  Done: { type: object, properties: { n: { type: number } }, required: [n] }
  Next: { type: object, properties: { n: { type: number }, to: { type: number } }, required: [n, to] }
nodes:
  - { kind: either, from: Counter, to: [Done, Next], expr: "n >= to" }
  - { kind: work, from: Next, to: Counter, expr: "{ n: n + 1, to: to }" }
`;

/** A flow that asks before it writes a note. */
export const writeFlow = `pravah: 1
name: write
input: Note
output: Written
schemas:
  Note: { type: object, properties: { text: { type: string } }, required: [text] }
  Written: true
nodes:
  - kind: work
    from: Note
    to: Written
    tools: [{ use: write_file, approve: always }]
    run: "({ text }, ctx) => ctx.tools.write_file({ path: 'note.txt', content: text })"
`;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonObject;
}

export interface CallOptions {
  readonly body?: Json;
  /** A bundle in place of JSON. */
  readonly bundle?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client with one token. */
export class Caller {
  readonly url: string;
  readonly token: string;

  constructor(url: string, token: string) {
    this.url = url;
    this.token = token;
  }

  async call(method: string, path: string, { body, bundle, headers = {} }: CallOptions = {}): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(bundle && { 'content-type': 'application/zip' }),
        ...headers,
      },
      ...(bundle && { body: new Uint8Array(bundle) }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? {} : (JSON.parse(text) as JsonObject) };
  }

  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer> {
    return this.call('GET', path, { headers });
  }

  post(path: string, body?: Json, headers?: Readonly<Record<string, string>>): Promise<Answer> {
    return this.call('POST', path, { body, headers });
  }
}

export type TestDatabase = 'SQLite' | 'PostgreSQL';

/** The databases that a server is tested with here. `tests` says what is skipped without PostgreSQL. */
export function testDatabases(tests: string): readonly TestDatabase[] {
  return withoutPostgres(`${tests} on PostgreSQL`) ? ['SQLite'] : ['SQLite', 'PostgreSQL'];
}

export interface TestServerOptions {
  readonly rate?: number;
  readonly runLimit?: number;
  readonly trustDeployments?: boolean;
  readonly telemetry?: { readonly content: boolean };
  readonly silence?: number;
}

/** A server with a folder of its own. */
export class TestServer {
  readonly folder: string;
  readonly data: string;
  /** Undefined: SQLite. */
  postgres: PostgresServer | undefined;
  #database: string | null = null;
  #server: RunningServer | undefined;

  private constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'pravah-served-'));
    this.data = mkdtempSync(join(tmpdir(), 'pravah-data-'));
  }

  /** Starts a server whose folder has these files. */
  static async start(
    files: Readonly<Record<string, string>>,
    { database, ...options }: TestServerOptions & { readonly database?: TestDatabase } = {},
  ): Promise<TestServer> {
    const server = new TestServer();
    // Consent is stored in the profile.
    process.env.PRAVAH_HOME = join(server.data, 'home');
    if (database === 'PostgreSQL') {
      server.postgres = await PostgresServer.start();
      server.#database = await server.postgres.database();
    }
    for (const [path, text] of Object.entries(files)) writeFileSync(join(server.folder, path), text);
    await server.restart(options);
    return server;
  }

  /** Starts a server with the database and the profile of this one, and nothing else in common. */
  async another(options: TestServerOptions = {}): Promise<TestServer> {
    const server = new TestServer();
    server.#database = this.#database;
    await server.restart(options);
    return server;
  }

  /** Starts it, or starts it again with the same folders. */
  async restart({
    rate = 100_000,
    runLimit = 1000,
    trustDeployments = false,
    silence = 15,
    telemetry,
  }: TestServerOptions = {}): Promise<void> {
    await this.#server?.stop();
    this.#server = await serve({
      folders: [this.folder],
      database: this.#database,
      data: this.data,
      host: '127.0.0.1',
      port: 0,
      allowOrigins: ['https://app.example'],
      publicUrl: null,
      rate,
      runLimit,
      trustDeployments,
      ...(telemetry && { telemetry }),
      silence,
      grace: 20,
      log: () => undefined,
    });
  }

  get running(): RunningServer {
    if (!this.#server) throw new Error('The server was not started.');
    return this.#server;
  }

  /** A client with a new token. */
  async caller(...scopes: Scope[]): Promise<Caller> {
    const { text } = await this.running.tokens.create({ name: 'test', scopes, expires_at: null });
    return new Caller(this.running.url, text);
  }

  /** Stops it until it is started again. */
  async stop(): Promise<void> {
    const running = this.#server;
    this.#server = undefined;
    await running?.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.stop();
    await this.postgres?.[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
    rmSync(this.data, { recursive: true, force: true });
  }
}
