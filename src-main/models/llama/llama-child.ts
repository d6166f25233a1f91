// The process of a local model. It isolates llama.cpp and the model's memory, so that neither a crash in native code nor a lack of memory
// ends the studio. It exits with its parent and after some idle time.
import { LlamaEngine, LlamaFailure } from './llama-engine.ts';
import type { FromLlama, LlamaRequest, ToLlama } from './llama-messages.ts';

/** Idle time before the memory is released, in milliseconds. */
const idleLimit = 120_000;

const post = (message: FromLlama) => process.send?.(message);

let engine: Promise<LlamaEngine> | undefined;
/** Requests run one at a time. */
let queue: Promise<void> = Promise.resolve();
const stops = new Map<number, AbortController>();
let idle: NodeJS.Timeout | undefined;

process.on('message', (message: ToLlama) => {
  if (message.type === 'load') {
    engine = LlamaEngine.load(message.loading);
    // Reported to each request.
    engine.catch(() => undefined);
    exitWhenIdle();
  } else if (message.type === 'cancel') stops.get(message.id)?.abort();
  else {
    clearTimeout(idle);
    const stop = new AbortController();
    stops.set(message.id, stop);
    queue = queue.then(() => answer(message.id, message.request, stop.signal));
  }
});
process.on('disconnect', () => process.exit());

async function answer(id: number, request: LlamaRequest, signal: AbortSignal): Promise<void> {
  try {
    if (!engine) throw new LlamaFailure('engine', 'no model was loaded');
    const loaded = await engine;
    signal.throwIfAborted();
    post({ type: 'answer', id, answer: await loaded.complete(request, signal, (part, text) => post({ type: 'delta', id, part, text })) });
  } catch (error) {
    if (signal.aborted) post({ type: 'cancelled', id });
    else {
      const kind = error instanceof LlamaFailure ? error.kind : 'engine';
      post({ type: 'failure', id, kind, message: error instanceof Error ? error.message : String(error) });
    }
  } finally {
    stops.delete(id);
    if (stops.size === 0) exitWhenIdle();
  }
}

function exitWhenIdle(): void {
  clearTimeout(idle);
  idle = setTimeout(() => process.exit(), idleLimit);
}
