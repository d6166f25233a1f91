import { useEffect, useState } from 'react';
import { follow } from '#renderer/api/follow.ts';
import { studio } from '#renderer/api/studio.ts';
import type { AppInfo } from '#shared/contract/app.ts';

/** Shows that the host answers: its name and version, and a heartbeat. */
export function HostCheck() {
  const [info, setInfo] = useState<AppInfo>();
  const [beats, setBeats] = useState(0);
  useEffect(() => {
    studio.app.info().then(setInfo);
    return follow({
      subscribe: (signal) => studio.app.heartbeat({ interval_ms: 100 }, { signal }),
      onItem: () => setBeats((count) => count + 1),
    });
  }, []);
  return (
    <main>
      <h1>Pravah Studio {info?.version}</h1>
      <p>
        Host: <span data-testid="host">{info?.host}</span>, heartbeats: <span data-testid="beats">{beats}</span>
      </p>
    </main>
  );
}
