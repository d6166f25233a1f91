import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { studio } from '#renderer/api/studio.ts';
import type { StoredSecretInfo } from '#shared/contract/secrets.ts';
import { Outcome } from './outcome.tsx';
import styles from './settings.module.css';
import { useAction } from './use-action.ts';

/** Secrets that tools may send as {secret:NAME}: names and hosts, never a secret. */
export function SecretSettings() {
  const [secrets, setSecrets] = useState<readonly StoredSecretInfo[]>([]);
  const action = useAction();
  useEffect(() => {
    studio.secrets.list().then(setSecrets, () => setSecrets([]));
  }, []);
  const change = (call: () => Promise<readonly StoredSecretInfo[]>, done: string) =>
    action.run(async () => {
      setSecrets(await call());
      return done;
    });
  return (
    <div className={styles.first}>
      <p className={styles.note}>
        A tool node writes <code>{'{secret:NAME}'}</code> where it is needed. It is put in when the request is sent, in trusted folders, and
        goes to its hosts only.
      </p>
      {secrets.length > 0 && (
        <ul className={styles.list} aria-label="Secrets">
          {secrets.map(({ name, hosts }) => (
            <li key={name} className={styles.row}>
              <span className={styles.grow}>
                <code>{name}</code> <code className={styles.address}>{hosts.join(', ')}</code>
              </span>
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Remove ${name}`}
                onClick={() => change(() => studio.secrets.remove({ name }), `${name} was removed.`)}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <SecretForm
        onSecret={(secret) => change(() => studio.secrets.set(secret), `${secret.name} is kept for ${secret.hosts.join(', ')}.`)}
      />
      <Outcome action={action} />
    </div>
  );
}

interface NewSecret {
  readonly name: string;
  readonly value: string;
  readonly hosts: string[];
}

/** Takes a secret in. Its field holds it until it is sent, and is emptied then; it is in no state of the page. */
function SecretForm({ onSecret }: { onSecret: (secret: NewSecret) => void }) {
  const [name, setName] = useState('');
  const [hosts, setHosts] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const value = field.current?.value.trim() ?? '';
    if (value === '' || !field.current) return;
    field.current.value = '';
    onSecret({ name: name.trim(), value, hosts: hosts.split(/[\s,]+/).filter((host) => host !== '') });
  };
  return (
    <form className={styles.fields} onSubmit={submit} autoComplete="off">
      <TextInput label="Name" placeholder="GITHUB_TOKEN" value={name} onChange={(event) => setName(event.currentTarget.value)} required />
      <TextInput
        label="Hosts"
        placeholder="api.github.com"
        value={hosts}
        onChange={(event) => setHosts(event.currentTarget.value)}
        required
      />
      <PasswordInput
        ref={field}
        className={styles.grow ?? ''}
        size="xs"
        label="Secret"
        autoComplete="off"
        required
        visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed', tabIndex: 0 }}
      />
      <Button type="submit">Keep secret</Button>
    </form>
  );
}
