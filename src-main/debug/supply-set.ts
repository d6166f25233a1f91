import type { CallPoint, OutputPoint, SuppliedCall, SuppliedOutput, Supply } from '#main/engine/ports/supply.ts';
import type { Mock, Pin, Supplied } from '#shared/contract/supplied.ts';
import type { FlowGraph, GraphNode, NamedState } from '#shared/flow/graph.ts';
import { originOf } from '#shared/flow/origin.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { answerOf, type ReadyMock, readyMock } from './mock-rules.ts';
import { everyGraph, fileKey, fileNodes, type PinPlace, pinPlace } from './pin-places.ts';

interface ReadyPin {
  readonly pin: Pin;
  readonly place: PinPlace;
}

/** The enabled pins and mocks of a run, found by what the run is about to do. Those of flows that the run doesn't contain are left out. */
export class SupplySet implements Supply {
  /** Ids of the pins and mocks that the run's flow contains. */
  readonly matched = new Set<string>();
  readonly #pins = new Map<GraphNode, ReadyPin>();
  readonly #tools = new Map<string, ReadyMock[]>();
  readonly #models: ReadyMock[] = [];
  /** Files and nodes in which a node is written, for mocks of one node. */
  readonly #origins = new Map<GraphNode, ReadonlySet<string>>();

  /** Throws `FlowError` `Invalid` for a rule whose expression can't be parsed. */
  constructor(graph: FlowGraph, supplied: readonly Supplied[]) {
    const enabled = supplied.filter((each) => each.enabled !== false);
    const pins = enabled.filter((each) => each.kind === 'pin');
    const mocks = enabled.filter((each): each is Mock => each.kind !== 'pin');
    // A mock of one node comes before those of all.
    for (const mock of mocks.toSorted((one, other) => Number(other.node !== undefined) - Number(one.node !== undefined))) this.#file(mock);
    const ofNodes = mocks.some(({ node }) => node !== undefined);
    everyGraph(graph, (each) => {
      this.#place(each, pins);
      if (ofNodes) for (const node of each.nodes) this.#origins.set(node, originKeys(each, node));
      this.#match(each, mocks);
    });
  }

  /** Whether nothing of the run is supplied. */
  get empty(): boolean {
    return this.#pins.size + this.#tools.size + this.#models.length === 0;
  }

  pins(node: GraphNode): boolean {
    return this.#pins.has(node);
  }

  output({ node, id, values }: OutputPoint): SuppliedOutput | undefined {
    const ready = this.#pins.get(node);
    if (!ready) return undefined;
    const { pin, place } = ready;
    const mark = { by: 'pin', id: pin.id, ...(pin.from && { from: pin.from }) } as const;
    return { mark, produced: () => produced(pin, place, id, values) };
  }

  call(point: CallPoint): SuppliedCall | undefined {
    const mocks = point.what === 'tool' ? this.#tools.get(point.name) : this.#models;
    const ready = mocks?.find(({ mock }) => this.#applies(mock, point));
    return ready && answerOf(ready, point);
  }

  #applies(mock: Mock, { name, node }: CallPoint): boolean {
    if (mock.kind === 'model' && mock.model !== '*' && mock.model !== name) return false;
    return mock.node === undefined || (this.#origins.get(node)?.has(fileKey(mock.flow ?? '', mock.node)) ?? false);
  }

  #file(mock: Mock): void {
    const ready = readyMock(mock);
    if (mock.kind === 'model') this.#models.push(ready);
    else this.#tools.set(mock.tool, [...(this.#tools.get(mock.tool) ?? []), ready]);
  }

  #place(graph: FlowGraph, pins: readonly Pin[]): void {
    if (pins.length === 0) return;
    const places = fileNodes(graph);
    for (const pin of pins) {
      for (const found of places.get(fileKey(pin.flow, pin.node)) ?? []) {
        const place = pinPlace(found);
        if (!place) continue;
        // The pin of a nested flow comes before one of its first node.
        const known = this.#pins.get(place.node);
        if (!known || found.around) this.#pins.set(place.node, { pin, place });
        this.matched.add(pin.id);
      }
    }
  }

  #match(graph: FlowGraph, mocks: readonly Mock[]): void {
    for (const mock of mocks) {
      const at = mock.node === undefined ? null : fileKey(mock.flow ?? '', mock.node);
      const found = graph.nodes.some(
        (node) =>
          (at === null || this.#origins.get(node)?.has(at)) && (mock.kind === 'model' ? node.kind === 'agent' : calls(node, mock.tool)),
      );
      if (found) this.matched.add(mock.id);
    }
  }
}

function originKeys(graph: FlowGraph, node: GraphNode): ReadonlySet<string> {
  return new Set(originOf(graph, node).map(({ flow, node: id }) => fileKey(flow, id)));
}

/** Whether a node names a tool. */
function calls({ body }: GraphNode, tool: string): boolean {
  if (body.type === 'tool') return body.tool === tool;
  const uses = body.type === 'agent' ? body.agent.tools : 'tools' in body ? body.tools : [];
  return (uses ?? []).some((use) => (typeof use === 'string' ? use : use.use) === tool);
}

/** Returns the states that a pin puts in the place of what a node produces. Throws `FlowError` `Invalid` if it can't. */
function produced(pin: Pin, { node, outputs }: PinPlace, id: string, values: readonly Json[]): NamedState[] {
  const value = pin.disabled ? passed(pin, id, values) : (pin.value as Json);
  const names = [...outputs];
  if (names.length === 1) return names.map(([, name]) => ({ name, value }));
  if (node.kind === 'fork') return names.map(([own, name]) => ({ name, value: pin.disabled ? value : branchOf(pin, id, value, own) }));
  const [branch] = pin.branch === undefined && pin.disabled ? names : names.filter(([own]) => own === pin.branch);
  if (branch) return [{ name: branch[1], value }];
  throw unusable(
    pin,
    id,
    `it names ${pin.branch === undefined ? 'no branch' : `the branch ${pin.branch}`}; the branches are ${[...outputs.keys()].join(' and ')}`,
  );
}

function passed(pin: Pin, id: string, [value, ...others]: readonly Json[]): Json {
  if (others.length === 0 && value !== undefined) return value;
  throw unusable(pin, id, 'a node that consumes two states cannot be disabled');
}

function branchOf(pin: Pin, id: string, value: Json, own: string): Json {
  const found = isJsonObject(value) ? value[own] : undefined;
  if (found !== undefined) return found;
  throw unusable(pin, id, `its value has no field ${own} for that branch`);
}

function unusable(pin: Pin, id: string, why: string): FlowError {
  return new FlowError('Invalid', `The pin ${pin.id} of ${id} can't be used: ${why}. Change or remove it.`, { node: id });
}
