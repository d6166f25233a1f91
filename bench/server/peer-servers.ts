import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { emptyFolder, StartedServer } from './started-server.ts';

const mastraPackages = ['@mastra/core@1.71.0', '@mastra/libsql@1.23.1', '@mastra/hono@1.7.9', 'hono@4', '@hono/node-server@1', 'zod@4'];

const mastraProgram = `
import { serve } from '@hono/node-server';
import { Mastra } from '@mastra/core';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { MastraServer } from '@mastra/hono';
import { LibSQLStore } from '@mastra/libsql';
import { Hono } from 'hono';
import { z } from 'zod';
const counted = z.object({ n: z.number() });
const step = (id) => createStep({ id, inputSchema: counted, outputSchema: counted, execute: async ({ inputData }) => ({ n: inputData.n + 1 }) });
const add = createWorkflow({ id: 'add', inputSchema: counted, outputSchema: counted }).then(step('one')).then(step('two')).then(step('three')).commit();
const mastra = new Mastra({ workflows: { add }, storage: new LibSQLStore({ id: 'store', url: 'file:./runs.db' }), logger: false });
const app = new Hono();
await new MastraServer({ app, mastra }).init();
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log('http://127.0.0.1:' + port));
`;

const langGraphProgram = `
from typing import TypedDict
from langgraph.graph import END, START, StateGraph

class State(TypedDict):
    n: int

def add(state: State) -> State:
    return {"n": state["n"] + 1}

builder = StateGraph(State)
for name in ("one", "two", "three"):
    builder.add_node(name, add)
builder.add_edge(START, "one")
builder.add_edge("one", "two")
builder.add_edge("two", "three")
builder.add_edge("three", END)
graph = builder.compile()
`;

/** Mastra's server with its workflow in a LibSQL file. Installs it from the registry. */
export async function startMastra(): Promise<StartedServer> {
  const folder = emptyFolder();
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...mastraPackages], { cwd: folder, stdio: 'ignore' });
  writeFileSync(join(folder, 'server.mjs'), mastraProgram);
  const env = { NODE_ENV: 'production', MASTRA_TELEMETRY_DISABLED: '1' };
  return StartedServer.start(process.execPath, ['server.mjs'], folder, env);
}

/** LangGraph's dev server, which keeps nothing on disk. Installs it from the registry of Python. */
export async function startLangGraph(): Promise<StartedServer> {
  const folder = emptyFolder();
  execFileSync('python3', ['-m', 'venv', 'venv'], { cwd: folder, stdio: 'ignore' });
  execFileSync(join(folder, 'venv/bin/pip'), ['install', '-q', 'langgraph-cli[inmem]==0.4.40'], { cwd: folder, stdio: 'ignore' });
  writeFileSync(join(folder, 'graph.py'), langGraphProgram);
  writeFileSync(join(folder, 'langgraph.json'), '{"dependencies":["."],"graphs":{"add":"./graph.py:graph"}}');
  const port = await freePort();
  const args = ['dev', '--host', '127.0.0.1', '--port', `${port}`, '--no-browser', '--no-reload'];
  const env = { LANGSMITH_TRACING: 'false', LANGGRAPH_CLI_NO_ANALYTICS: '1', PYTHONUNBUFFERED: '1' };
  const server = await StartedServer.start(join(folder, 'venv/bin/langgraph'), args, folder, env);
  while (!(await fetch(`${server.url}/ok`).catch(() => null))?.ok) await wait(200);
  return server;
}

/** A port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
