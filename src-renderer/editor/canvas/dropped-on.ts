import { currentFlow } from '#renderer/document/flows/editor.ts';
import { openQuickAdd } from '#renderer/editor/actions/quick-add-store.ts';
import type { PortPlace } from '#renderer/editor/entries/library-entries.ts';
import { noticeProblem } from '#renderer/shell/notices.ts';
import { connectPlaces, portsFor } from './connect-ports.ts';
import { texts } from './texts.ts';

type Point = { readonly x: number; readonly y: number };

/**
 * Connects a wire that was dropped on a card: to its only open port, or to the only one that can be connected; otherwise asks which.
 * Returns false if there is no card at that point.
 */
export function dropOnCard(from: PortPlace, point: Point): boolean {
  const flow = currentFlow();
  const card = document.elementsFromPoint(point.x, point.y).find((element) => element.closest('.react-flow__node'));
  const key = card?.closest<HTMLElement>('.react-flow__node')?.dataset.id;
  const node = flow?.view.nodes.find((candidate) => candidate.key === key);
  if (!node || node.key === from.node) return false;
  const { ports, why } = portsFor(node, from);
  const isOpen = ({ handle }: PortPlace) => {
    const [side, index] = handle.split(':');
    return (side === 'input' ? node.inputs : node.outputs)[Number(index)]?.open === true;
  };
  const open = ports.filter(isOpen);
  const [only] = open.length > 0 ? open : ports;
  if (!only) noticeProblem(texts.cannotConnect, why ?? texts.noPort(node.title));
  else if ((open.length > 0 ? open : ports).length === 1) connectPlaces(from, only);
  else openQuickAdd({ screen: point, at: point, from, ports });
  return true;
}
