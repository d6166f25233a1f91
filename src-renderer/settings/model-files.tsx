import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import { changeModels } from '#renderer/stores/models.ts';
import type { ModelsOverview } from '#shared/contract/models.ts';
import { Outcome } from './outcome.tsx';
import styles from './settings.module.css';
import { useAction } from './use-action.ts';

/** Model files that may be loaded wherever they lie. */
export function ModelFiles({ files }: { files: ModelsOverview['files'] }) {
  const [path, setPath] = useState('');
  const action = useAction();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    action.run(async () => {
      const failure = await changeModels(() => studio.models.addFile({ path: path.trim() }));
      if (failure) return failure;
      setPath('');
      return 'It may be loaded now.';
    });
  };
  return (
    <section className={styles.group} aria-label="Model files">
      <h3>Model files</h3>
      <p className={styles.note}>
        A trusted folder may load GGUF files of its own as llama://PATH. Others must be named here, since native code reads them.
      </p>
      <ul className={styles.list}>
        {files.map((file) => (
          <li key={file.path} className={styles.row}>
            <code className={`${styles.address} ${styles.grow}`}>{file.path}</code>
            <span className={styles.note}>{file.size === null ? 'not there' : `${(file.size / 1e9).toFixed(1)} GB`}</span>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Remove ${file.path}`}
              onClick={() => action.run(() => changeModels(() => studio.models.removeFile({ path: file.path })))}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <form className={styles.fields} onSubmit={submit}>
        <TextInput
          className={styles.grow ?? ''}
          label="Path of a GGUF file"
          placeholder="/models/small.gguf"
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={!path.trim()} loading={action.busy}>
          Add file
        </Button>
      </form>
      <Outcome action={action} />
    </section>
  );
}
