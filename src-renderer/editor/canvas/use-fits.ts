import { useEffect, useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import { currentFlow } from '#renderer/document/flows/editor.ts';
import type { QuickAddRequest } from '#renderer/editor/actions/quick-add-store.ts';
import type { ToolInfo } from '#shared/contract/tools.ts';

/** How well the state of a dropped wire fits what it could be connected to. */
export type Fits = Awaited<ReturnType<typeof studio.flows.fitting>>;

/** Asks the background thread how well a wire's state fits; null until it has answered, and for a menu without a wire. */
export function useFits(request: QuickAddRequest, tools: readonly ToolInfo[]): Fits | null {
  const [fits, setFits] = useState<Fits | null>(null);
  const { consumes, produces, choosing, ports } = request;
  useEffect(() => {
    const flow = currentFlow();
    const state = consumes ?? produces;
    if (!flow || state === undefined || choosing || ports) return;
    let current = true;
    const side = consumes === undefined ? 'input' : 'output';
    const open = flow.view.nodes.flatMap(({ inputs, outputs }) => (side === 'output' ? inputs : outputs));
    studio.flows
      .fitting({
        path: flow.path,
        text: flow.parsed.text,
        state,
        side,
        states: [...new Set(open.filter((port) => port.open).map((port) => port.state))],
        tools: tools.map(({ name, input_schema, output_schema }) => ({
          name,
          schema: side === 'output' ? input_schema : (output_schema ?? true),
        })),
      })
      .then(
        (answer) => current && setFits(answer),
        // The menu then lists everything, as without a wire.
        () => undefined,
      );
    return () => {
      current = false;
    };
  }, [consumes, produces, choosing, ports, tools]);
  return fits;
}
