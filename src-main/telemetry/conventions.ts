// Names of OpenTelemetry's semantic conventions for generative AI, which are still in development: all of them are here.

/** The version of the conventions (package `@opentelemetry/semantic-conventions`). */
export const conventionsVersion = '1.45.0';

export const schemaUrl = `https://opentelemetry.io/schemas/${conventionsVersion}`;

export const operationNames = { workflow: 'invoke_workflow', agent: 'invoke_agent', model: 'chat', tool: 'execute_tool' } as const;

export const attributeNames = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  model: 'gen_ai.request.model',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cachedTokens: 'gen_ai.usage.cache_read.input_tokens',
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  conversation: 'gen_ai.conversation.id',
  workflow: 'gen_ai.workflow.name',
  agent: 'gen_ai.agent.name',
  tool: 'gen_ai.tool.name',
  toolCall: 'gen_ai.tool.call.id',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  tokenType: 'gen_ai.token.type',
  error: 'error.type',
  // Not of the conventions.
  run: 'pravah.run_id',
  node: 'pravah.node',
  flowHash: 'pravah.flow_hash',
  status: 'pravah.status',
} as const;

/** Metrics, with the boundaries of buckets that the conventions ask for. */
export const metrics = {
  tokens: {
    name: 'gen_ai.client.token.usage',
    description: 'Number of input and output tokens used',
    unit: '{token}',
    boundaries: [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864],
  },
  duration: {
    name: 'gen_ai.client.operation.duration',
    description: 'GenAI operation duration',
    unit: 's',
    boundaries: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
  },
} as const;

/** Names of providers where the conventions' differ from ours. */
export const providerNames: Readonly<Record<string, string>> = { gemini: 'gcp.gemini' };

/** Names of finish reasons where the conventions' differ from ours. */
export const finishReasons: Readonly<Record<string, string>> = { tool: 'tool_call' };
