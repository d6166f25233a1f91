import { lstat, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { secretHost } from '#main/engine/secrets/hosts.ts';
import { isOurs } from '#main/platform/owner.ts';
import { providers as knownProviders } from '#shared/flow/providers.ts';
import { readJson } from '#shared/flow/source/read-json.ts';
import { syntaxFault } from '#shared/flow/source/source-fault.ts';
import { type Json, jsonPointer } from '#shared/json.ts';
import { patternProblem } from '#shared/mask-text.ts';
import { openApiToolsSchema } from '#shared/openapi/openapi-settings.ts';
import { FlowError } from '#shared/run/error.ts';
import { projectFile, readProject } from './pyflow-project.ts';

const commandName = z.string().regex(/^[^/\\]+$/, 'a program name without separators');
const environmentName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable');
const webAddress = z.url({ protocol: /^https?$/ });

const commandRule = z.union([commandName, z.strictObject({ name: commandName, args: z.array(z.string()) })]);

const perMinute = z.int().positive().optional();

const provider = z.strictObject({
  base_url: webAddress.optional().describe('Address of an OpenAI-compatible endpoint, for genai://NAME/MODEL.'),
  key: environmentName.optional().describe('Environment or .env variable that contains the key.'),
  retry: z
    .strictObject({
      attempts: z.int().min(1).max(10).optional().describe('Requests, the first one included; default 4.'),
      first_ms: z.number().positive().max(60_000).optional().describe('The first pause; each further one is twice as long. Default 500.'),
      longest_ms: z.number().positive().max(60_000).optional().describe('The longest pause; default 8000.'),
    })
    .optional()
    .describe('Failed requests that are made again.'),
  rate: z
    .strictObject({ requests_per_minute: perMinute, tokens_per_minute: perMinute, concurrent: perMinute })
    .optional()
    .describe('How often the provider may be called; further calls wait.'),
});

const mcpTimeout = z
  .number()
  .positive()
  .max(3600)
  .optional()
  .describe('Seconds without progress after which a call times out; default 60.');

const mcpServer = z.union([
  z.strictObject({
    command: z.string().min(1).describe('A program that speaks MCP over standard input and output; started in the workspace.'),
    args: z.array(z.string()).default([]),
    env: z.record(environmentName, z.string()).default({}).describe('Its environment variables; {secret:NAME} is replaced from .env.'),
    timeout: mcpTimeout,
  }),
  z.strictObject({
    url: webAddress.describe('Address of a server that speaks MCP over HTTP (streamable HTTP).'),
    headers: z.record(z.string(), z.string()).default({}).describe('Sent with each request; {secret:NAME} is replaced from .env.'),
    timeout: mcpTimeout,
  }),
]);

const modelPrice = z
  .strictObject({
    in: z.number().nonnegative(),
    out: z.number().nonnegative(),
    cached_in: z.number().nonnegative().optional().describe('Of input that the provider reads from its cache; default: as "in".'),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'a currency code such as "USD"')
      .optional(),
  })
  .transform(({ in: input, out: output, cached_in, currency }) => ({
    input,
    output,
    ...(cached_in !== undefined && { cached_input: cached_in }),
    ...(currency !== undefined && { currency }),
  }));

/** A server of `mcp_servers`. */
export type McpServerSettings = z.infer<typeof mcpServer>;

const secretHostText = z
  .string()
  .refine((text) => secretHost(text) !== null, 'a host such as "api.example.com" or "api.example.com:8443"')
  .describe('host or host:port, over https; prefix http:// for an unencrypted connection.');

/** The shape of `pravah.json`. Everything is empty by default; an unknown key is an error. */
export const settingsSchema = z.strictObject({
  $schema: z.string().optional(),
  commands: z
    .array(commandRule)
    .default([])
    .describe(
      'Programs that tools may run: a name (with any arguments), or a name with its arguments; "*" matches one argument that does not begin with "-".',
    ),
  writable: z.array(z.string().min(1)).default([]).describe('Protected paths (globs) that tools may write; each write needs approval.'),
  http: z
    .strictObject({
      allow_private: z.array(z.string().min(1)).default([]).describe('Private addresses that tools may access: host, host:port or CIDR.'),
    })
    .default({ allow_private: [] }),
  providers: z
    .record(z.string().min(1), provider)
    .superRefine((known, issues) => {
      for (const [name, { base_url }] of Object.entries(known))
        if (base_url === undefined && !Object.hasOwn(knownProviders, name))
          issues.addIssue({ code: 'custom', path: [name, 'base_url'], message: 'the address of the endpoint' });
    })
    .default({})
    .describe('Model endpoints for genai://NAME/MODEL, and by provider (openai, ollama, …) how it is called.'),
  mcp_servers: z.record(z.string().regex(/^[A-Za-z0-9_-]+$/, 'letters, digits, _ and -'), mcpServer).default({}),
  secrets: z
    .record(environmentName, z.strictObject({ hosts: z.array(secretHostText).min(1) }))
    .default({})
    .describe('Variables of .env that tools may send as {secret:NAME}, and to which hosts.'),
  conversations: z
    .strictObject({
      keep_days: z
        .number()
        .positive()
        .optional()
        .describe('Days after their last use for which conversations are kept; default: for ever.'),
    })
    .default({})
    .describe('Conversations that agents keep in the workspace.'),
  mask: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[A-Za-z0-9_ -]+$/, 'letters, digits, spaces, _ and -'),
        pattern: z
          .string()
          .min(1)
          .superRefine((pattern, issues) => {
            const problem = patternProblem(pattern);
            if (problem !== null) issues.addIssue({ code: 'custom', message: `a regular expression: it ${problem}` });
          })
          .describe('A regular expression of JavaScript, read with the flag u.'),
      }),
    )
    .default([])
    .describe('Texts that become {mask:NAME} in exported conversations and capsules.'),
  endpoints: z
    .strictObject({ ynab: webAddress.optional() })
    .default({})
    .describe("Addresses that replace a tool's own service. A secret is sent there only if its hosts include the address."),
  python: z
    .union([
      z.string().min(1),
      z.strictObject({
        interpreter: z.string().min(1).optional().describe('A path, relative to the folder, or a name on the search path.'),
        timeout: z.number().positive().max(86_400).optional().describe('Seconds after which a call of a function times out; default 60.'),
        env: z.array(environmentName).default([]).describe('Environment variables to pass on, besides PYFLOW_*.'),
      }),
    ])
    .default({ env: [] })
    .describe('The Python that runs functions of imported workflows: its interpreter, or an object.'),
  openapi_tools: openApiToolsSchema
    .default({})
    .describe('APIs whose operations are the tools openapi:NAME/OPERATION. Those of pyflow.yaml are added.'),
  timezone: z
    .string()
    .refine(isTimeZone, 'a time zone such as "Europe/Madrid"')
    .optional()
    .describe('The time zone of PyFlow workflows; PYFLOW_TIMEZONE overrides it. Default: the time zone of this machine.'),
  prices: z
    .record(z.string().min(1), modelPrice)
    .default({})
    .describe("By model URL: its price per million tokens. It replaces the user's own."),
  approve: z
    .record(z.string().min(1), z.enum(['always', 'never']))
    .default({})
    .describe('By tool: whether its calls need approval.'),
});

export type WorkspaceSettings = z.infer<typeof settingsSchema>;

/** Settings as written, where everything has a default. */
export type WrittenSettings = z.input<typeof settingsSchema>;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** How the user's Python is started. */
export function pythonOptions({ python }: WorkspaceSettings): {
  interpreter?: string | undefined;
  timeout?: number | undefined;
  env?: string[];
} {
  return typeof python === 'string' ? { interpreter: python } : python;
}

/** Settings of a folder without `pravah.json`. */
export const defaultSettings: WorkspaceSettings = settingsSchema.parse({});

/**
 * Reads `pravah.json` of a folder. Throws `FlowError` `BuildError` with code `CONFIG_SETTINGS_INVALID`, whose `details.problems` lists every
 * error as `{path, message}` (JSON Pointers); an invalid file is never treated as empty.
 */
export async function loadSettings(folder: string): Promise<WorkspaceSettings> {
  const file = join(folder, 'pravah.json');
  let text: string;
  try {
    await assertOwner(file, folder);
    text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    if (error instanceof FlowError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return withProject(folder, defaultSettings);
    throw invalid([{ path: '', message: `can't be read: ${(error as Error).message}` }]);
  }
  return withProject(folder, parseSettings(text));
}

/** Adds the APIs of the folder's `pyflow.yaml`. Those of `pravah.json` win. */
async function withProject(folder: string, settings: WorkspaceSettings): Promise<WorkspaceSettings> {
  const project = readProject(folder);
  if (!project) return settings;
  await assertOwner(join(folder, projectFile), folder);
  if ('openapi_tools' in project) return { ...settings, openapi_tools: { ...project.openapi_tools, ...settings.openapi_tools } };
  const { error } = project;
  const problems =
    error instanceof z.ZodError ? error.issues.flatMap((issue) => problemsOf(issue)) : [{ path: '', message: firstLine(error) }];
  throw invalid(problems, projectFile);
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] as string;
}

/** In a world-writable folder, such as /tmp, any user could otherwise decide what flows may do. */
async function assertOwner(file: string, folder: string): Promise<void> {
  const [settings, { uid }] = [await lstat(file), await stat(folder)];
  if (isOurs(settings) || settings.uid === 0 || settings.uid === uid) return;
  const message = `belongs to another user (uid ${settings.uid}), who is not the owner of its folder. Move your flows to a folder of your own`;
  throw invalid([{ path: '', message }]);
}

/** Parses the text of a `pravah.json`; throws as `loadSettings` does. */
export function parseSettings(text: string): WorkspaceSettings {
  // Parsed like flows: with duplicate keys or `__proto__`, a reader could see different settings than the effective ones.
  const reading = readJson(text);
  if (!reading.ok)
    throw invalid(reading.faults.map(({ message, path, position }) => ({ path, message: whereIn(text, position, message) })));
  return settingsOf(reading.root.value, 'pravah.json');
}

/** Checks settings and fills in the defaults; throws as `loadSettings` does. `source` names them in the error. */
export function settingsOf(value: unknown, source: string): WorkspaceSettings {
  const result = settingsSchema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(
    result.error.issues.flatMap((issue) => problemsOf(issue)),
    source,
  );
}

function whereIn(text: string, position: number, message: string): string {
  const { line, column } = syntaxFault(text, position, message);
  return `line ${line}, column ${column}: ${message}`;
}

type Path = readonly (string | number)[];

function problemsOf(issue: z.core.$ZodIssue, above: Path = []): { path: string; message: string }[] {
  const path = [...above, ...issue.path.map((segment) => (typeof segment === 'number' ? segment : String(segment)))];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: jsonPointer([...path, key]),
      message: `unknown key ${JSON.stringify(key)}`,
    }));
  }
  // Of several alternatives, report the one whose value type matches.
  const meant =
    issue.code === 'invalid_union'
      ? issue.errors.find((form) => !form.some(({ code, path: at }) => code === 'invalid_type' && at.length === 0))
      : null;
  return meant ? meant.flatMap((inner) => problemsOf(inner, path)) : [{ path: jsonPointer(path), message: issue.message }];
}

function invalid(problems: { path: string; message: string }[], source = 'pravah.json'): FlowError {
  const list = problems.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ');
  const details: Json = { file: source, problems };
  return new FlowError('BuildError', `${source} ${problems[0]?.path ? 'has errors: ' : ''}${list}`, {
    code: 'CONFIG_SETTINGS_INVALID',
    details,
  });
}
