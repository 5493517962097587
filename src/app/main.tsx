'fetched by every page';

import '../styles/app.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { listenForInstall } from '#features/install/install.ts';
import { App } from './App.tsx';
import { preloadPages } from './page-sets.ts';

// The browser offers installing once, early, and never again if nobody listens.
listenForInstall();
const mount = document.getElementById('app');
if (!mount) throw new Error('The page has no element with the id app');
void preloadPages().then(() =>
  createRoot(mount).render(
    <StrictMode>
      {/* What a tap opens is drawn within the tap: held back, it would ask the store for its rows only after a paint. */}
      <BrowserRouter useTransitions={false}>
        <App />
      </BrowserRouter>
    </StrictMode>,
  ),
);
