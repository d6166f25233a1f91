import { MultiSelect, Select } from '@mantine/core';
import { useWorkspace } from '#renderer/stores/use-workspace.ts';
import type { DocumentPath } from '#shared/flow/edit/flow-edit.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { setField } from './edit-node.ts';
import styles from './inspector.module.css';

interface Use {
  readonly tool: string;
  readonly approve: 'always' | 'never' | null;
}

interface ToolUsesProps {
  readonly label: string;
  readonly path: DocumentPath;
  readonly value: Json | undefined;
  /** Whether all tools of a server can be chosen at once. */
  readonly wildcards?: boolean;
}

const policies = [
  { value: 'default', label: 'as the folder says' },
  { value: 'always', label: 'always asks' },
  { value: 'never', label: 'never asks' },
];

/** The tools that a node may call, each with whether a person is asked first. */
export function ToolUses({ label, path, value, wildcards = false }: ToolUsesProps) {
  const tools = useWorkspace((state) => state.tools);
  const whole = wildcards ? tools.flatMap(({ server }) => (server === null ? [] : [`mcp:${server}/*`])) : [];
  const uses = readUses(value);
  const names = uses.map((use) => use.tool);
  const write = (next: readonly Use[]) => setField(path, next.length === 0 ? undefined : next.map(writeUse), 'Edit tools');
  return (
    <>
      <MultiSelect
        className={styles.code ?? ''}
        label={label}
        placeholder={names.length === 0 ? 'None' : ''}
        data={[...new Set([...tools.map((tool) => tool.name), ...whole, ...names])]}
        value={names}
        searchable
        onChange={(chosen) => write(chosen.map((tool) => uses.find((use) => use.tool === tool) ?? { tool, approve: null }))}
      />
      {uses.map((use) => (
        <div key={use.tool} className={styles.use}>
          <code title={use.tool}>{use.tool}</code>
          <Select
            aria-label={`Approval of ${use.tool}`}
            data={policies}
            value={use.approve ?? 'default'}
            allowDeselect={false}
            onChange={(policy) => {
              const approve = policy === 'always' || policy === 'never' ? policy : null;
              write(uses.map((other) => (other.tool === use.tool ? { ...other, approve } : other)));
            }}
          />
        </div>
      ))}
    </>
  );
}

function readUses(value: Json | undefined): Use[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((item): Use[] => {
    if (typeof item === 'string') return [{ tool: item, approve: null }];
    if (!isJsonObject(item) || typeof item.use !== 'string') return [];
    return [{ tool: item.use, approve: item.approve === 'always' || item.approve === 'never' ? item.approve : null }];
  });
}

function writeUse({ tool, approve }: Use): Json {
  return approve === null ? tool : { use: tool, approve };
}
