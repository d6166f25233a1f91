import { parsedText } from '#renderer/document/graph/parsed-text.ts';
import type { RunSubject } from '#renderer/runs/model/run-subject.ts';
import { ModelField } from '#renderer/workspace/models/model-field.tsx';
import { isJsonObject } from '#shared/json.ts';
import styles from './run-dialog.module.css';
import { texts } from './texts.ts';

/** An agent of a flow, with its model. */
export interface AgentModel {
  readonly node: string;
  readonly title: string;
  readonly model: string;
}

/** The agents in the text of a flow. */
export function agentsOf({ text, path }: Pick<RunSubject, 'text' | 'path'>): AgentModel[] {
  return (parsedText(text, path).outline.nodes ?? []).flatMap(({ id, raw: { agent, title } }) => {
    if (!isJsonObject(agent) || typeof agent.model !== 'string') return [];
    return [{ node: id, title: typeof title === 'string' ? title : id, model: agent.model }];
  });
}

interface ModelChoiceProps {
  readonly agents: readonly AgentModel[];
  /** Model URLs that replace the agents' own in this run, by node. */
  readonly chosen: Readonly<Record<string, string>>;
  readonly onChange: (chosen: Readonly<Record<string, string>>) => void;
}

/** Other models for this run only. An agent with an empty field uses its own. */
export function ModelChoice({ agents, chosen, onChange }: ModelChoiceProps) {
  if (agents.length === 0) return null;
  const changed = Object.keys(chosen).length;
  return (
    <details className={styles.models}>
      <summary>{texts.start.models(changed)}</summary>
      {agents.map(({ node, title, model }) => (
        <ModelField
          key={node}
          label={texts.start.modelOf(title)}
          placeholder={model}
          value={chosen[node] ?? ''}
          onChange={(url) => {
            const { [node]: _former, ...others } = chosen;
            onChange(url.trim() ? { ...others, [node]: url.trim() } : others);
          }}
        />
      ))}
    </details>
  );
}
