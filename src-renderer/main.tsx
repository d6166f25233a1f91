import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { HostCheck } from '#renderer/app/host-check.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element #root');
createRoot(root).render(
  <StrictMode>
    <HostCheck />
  </StrictMode>,
);
