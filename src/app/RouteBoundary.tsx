import { CircleAlert, CloudOff } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { Button } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { PartLoadError } from '#ui/lazy-part.ts';

interface Props {
  children: ReactNode;
}
interface State {
  error: unknown;
  /** The reference that the person tells support. The console logs the error under it. */
  number: string;
}

/** An error boundary around a page: navigation stays usable. Needs a new key for each page. */
export class RouteBoundary extends Component<Props, State> {
  override state: State = { error: null, number: '' };

  static getDerivedStateFromError(error: unknown): State {
    return { error, number: crypto.randomUUID().slice(0, 8) };
  }

  override componentDidCatch(error: unknown): void {
    console.error(`Error ${this.state.number}:`, error);
  }

  override render(): ReactNode {
    const { error, number } = this.state;
    if (error === null) return this.props.children;
    const retryButton = <Button onClick={() => location.reload()}>Try again</Button>;
    if (error instanceof PartLoadError) {
      return (
        <ErrorPage
          icon={CloudOff}
          title="You have not opened this page before"
          text={`Go online to open it once. After that it stays on this ${deviceWord()}.`}
          action={retryButton}
        />
      );
    }
    return (
      <ErrorPage
        icon={CircleAlert}
        title="An unexpected error occurred."
        text={
          <>
            <p>Your work is safe on this {deviceWord()}.</p>
            <p className="mt-1 text-sm">
              For support: <span className="num font-semibold">{number}</span>
            </p>
          </>
        }
        action={retryButton}
      />
    );
  }
}
