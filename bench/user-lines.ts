import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const regions = ['chain', 'loop', 'forkJoin', 'durableChain'] as const;
const titles = ['chain', 'loop', 'fork and join', 'durable chain'];

/** How many lines the user of each peer writes for the four graphs: neither blank nor comment, in the regions that its file marks so. */
export function userLines(peersFolder: string, peers: readonly string[]): string {
  const rows = peers.map((peer) => {
    const counts = countLines(readFileSync(join(peersFolder, `${peer}.mjs`), 'utf8'));
    const total = regions.reduce((sum, region) => sum + (counts.get(region) ?? 0), 0);
    return `| ${peer} | ${regions.map((region) => counts.get(region) ?? '–').join(' | ')} | ${total} |`;
  });
  return [`| lines of user code | ${titles.join(' | ')} | all |`, '|---|---:|---:|---:|---:|---:|', ...rows].join('\n');
}

function countLines(source: string): Map<string, number> {
  const counts = new Map<string, number>();
  let region: string | undefined;
  for (const line of source.split('\n')) {
    if (line.includes('#endregion')) region = undefined;
    else if (region !== undefined && /^\s*(?!\/\/)\S/.test(line)) counts.set(region, (counts.get(region) ?? 0) + 1);
    region = /#region user:(\w+)/.exec(line)?.[1] ?? region;
  }
  return counts;
}
