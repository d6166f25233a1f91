import { unavailable } from '#main/models/model-failure.ts';
import { FlowError } from '#shared/run/error.ts';
import { LlamaProcessError } from './llama-process.ts';

/** Converts a failure of a local model's process to pagantic's codes, with advice. */
export function llamaFailure(url: string, error: unknown): unknown {
  if (!(error instanceof LlamaProcessError)) return error;
  const { kind, message } = error;
  const details = { vendor_message: message };
  switch (kind) {
    case 'not_installed':
      return unavailable(
        `${url} needs node-llama-cpp, which is not available (${message}). Run “npm install node-llama-cpp”, or serve the file with Ollama.`,
        details,
      );
    case 'load':
      return unavailable(`Cannot load ${url}: ${message}. Check that the file is complete and contains a language model.`, details);
    case 'memory':
      return unavailable(`${url} does not fit into memory: ${message}. Use a smaller model, or set params.options.context_size.`, details);
    case 'context':
      return new FlowError(
        'AgentError',
        `${message}. The conversation is too long for ${url}: shorten it, or raise params.options.context_size.`,
        {
          code: 'INFERENCE_CONTEXT_EXCEEDED',
          retryable: false,
          details,
        },
      );
    case 'grammar':
      return new FlowError('AgentError', `${url} does not support this grammar: ${message}`, {
        code: 'CONFIG_GRAMMAR_INVALID',
        category: 'configuration',
        retryable: false,
        details,
      });
    case 'died':
    case 'engine': {
      const what = kind === 'died' ? `The process of ${url} ended unexpectedly (${message}).` : `${url} failed: ${message}.`;
      return new FlowError('AgentError', `${what} Try again.`, {
        code: 'INFERENCE_ENGINE_ERROR',
        retryable: true,
        details,
      });
    }
  }
}
