import { type PackedFlow, packFlow } from '#shared/flow/packed-flow.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';

/** A text to be read. */
export interface ReadRequest {
  readonly id: number;
  readonly text: string;
  readonly path: string;
}

export interface ReadAnswer {
  readonly id: number;
  readonly flow: PackedFlow;
}

self.addEventListener('message', ({ data: { id, text, path } }: MessageEvent<ReadRequest>) => {
  self.postMessage({ id, flow: packFlow(parseFlow(text, path)) } satisfies ReadAnswer);
});
