import type { Json } from '#shared/json.ts';

/** A generated workflow, as the value of its `workflow.yaml`. */
export interface GeneratedWorkflow {
  readonly name: string;
  readonly agents: readonly GeneratedAgent[];
  readonly orchestration: Json;
}

interface GeneratedAgent {
  readonly name: string;
  readonly type: string;
  readonly [field: string]: Json;
}

/** Mulberry32: the same numbers from 0 to 1 for the same seed, everywhere. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Expressions over one key, `k`, and a number, `n`. Some fail for some values: their agents then write nothing. No tuples: PyFlow keeps them. */
const expressions = [
  '(k or 0) + n',
  '(k or 1) * n % 97',
  'n / 2 if k == None else k',
  '[k, n]',
  'max(k, n)',
  "{'v': k, 'n': n}",
  "len(str(k or '')) + n",
  "str(k) + 'n'",
  "f'{k!r:>6}|n'",
  'round((k or n) / 3, 2)',
  'n if k else -n',
  'k[0]',
  "k['v']",
  "k.get('n', n)",
  'sorted(k, key=str)[:n]',
  '[x for x in k if x]',
  'n // (k - k)',
  '-(n ** 2) // 4',
  'float(n) if k == None else k == n',
] as const;

/** Makes workflows of expr agents: sequences, loops with a limit, dags, and one level of parallel branches. */
class WorkflowGenerator {
  readonly #random: () => number;
  readonly #agents: GeneratedAgent[] = [];
  #names = 0;

  constructor(seed: number) {
    this.#random = randomNumbers(seed);
  }

  generate(seed: number): GeneratedWorkflow {
    const type = this.#choose(['sequential', 'parallel', 'loop', 'dag'] as const);
    const orchestration = type === 'dag' ? this.#dag() : this.#orchestration(type);
    return { name: `generated_${type}_${seed}`, agents: this.#agents, orchestration };
  }

  #orchestration(type: 'sequential' | 'parallel' | 'loop'): Json {
    if (type === 'parallel') return { type, agents: this.#branches(this.#name('k')) };
    const agents = Array.from({ length: this.#count(1, 4) }, () => this.#part(true));
    return type === 'loop' ? { type, agents, max_iterations: this.#count(1, 4) } : { type, agents };
  }

  /** One agent of a sequence: an expression, a sequence, or parallel branches. */
  #part(mayFork: boolean): string {
    const roll = this.#random();
    if (mayFork && roll < 0.35) {
      const name = this.#name('p');
      return this.#add({ name, type: 'parallel', sub_agents: this.#branches(name) });
    }
    if (roll < 0.5) return this.#sequence(() => this.#part(mayFork));
    return this.#expression(['a', 'b', 'c', 'shared'], ['a', 'b', 'c', 'shared']);
  }

  /** Branches that read only keys of their own. What a sibling writes meanwhile is seen by PyFlow, but not here. */
  #branches(region: string): string[] {
    return Array.from({ length: this.#count(2, 4) }, (_, index) => {
      const own = [`${region}_${index}`, `${region}_${index}x`];
      const leaf = () => this.#expression(own, [...own, 'shared']);
      return this.#random() < 0.5 ? leaf() : this.#sequence(() => (this.#random() < 0.2 ? this.#sequence(leaf) : leaf()));
    });
  }

  #sequence(part: () => string): string {
    const sub_agents = Array.from({ length: this.#count(1, 4) }, part);
    return this.#add({ name: this.#name('s'), type: 'sequential', sub_agents });
  }

  #expression(reads: readonly string[], writes: readonly string[]): string {
    const key = this.#random() < 0.8 ? this.#choose(reads) : null;
    const expression = this.#choose(expressions)
      .replaceAll(/\bk\b/g, key ?? 'None')
      .replaceAll(/\bn\b(?!['|])/g, String(this.#count(1, 9)));
    const name = this.#name('e');
    return this.#add({ name, type: 'expr', expression, ...(key !== null && { input_keys: [key] }), output_key: this.#choose(writes) });
  }

  /** Nodes in any order, each of which reads what nodes that it depends on write. */
  #dag(): Json {
    const names: string[] = [];
    const nodes = Array.from({ length: this.#count(2, 9) }, (_, index) => {
      const depends_on = names.filter(() => this.#random() < 0.3);
      const reads = depends_on.length > 0 ? depends_on.map((name) => `${name}_out`) : ['none'];
      const name = this.#name('d');
      const expression = this.#choose(expressions);
      const key = this.#choose(reads);
      names.push(name);
      this.#add({
        name,
        type: 'expr',
        expression: expression.replaceAll(/\bk\b/g, key).replaceAll(/\bn\b(?!['|])/g, String(index + 1)),
        input_keys: [key],
        output_key: this.#random() < 0.7 ? `${name}_out` : 'shared',
      });
      return { agent: name, depends_on };
    });
    return {
      type: 'dag',
      nodes: nodes
        .map((node) => [this.#random(), node] as const)
        .sort(([one], [other]) => one - other)
        .map(([, node]) => node),
    };
  }

  #add(agent: GeneratedAgent): string {
    this.#agents.push(agent);
    return agent.name;
  }

  #name(letter: string): string {
    this.#names += 1;
    return `${letter}${this.#names}`;
  }

  #count(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1));
  }

  #choose<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)] as Item;
  }
}

/**
 * The workflow of a seed. After a change here, record again what PyFlow does: `node tests/pyflow/generate-workflow.ts 1000 |
 * PYFLOW_SOURCE=CHECKOUT python tests/pyflow/evaluate_workflows.py > tests/pyflow/pyflow-results.jsonl`.
 */
export function generateWorkflow(seed: number): GeneratedWorkflow {
  return new WorkflowGenerator(seed).generate(seed);
}

if (import.meta.main) for (let seed = 1; seed <= Number(process.argv[2]); seed += 1) console.log(JSON.stringify(generateWorkflow(seed)));
