import { Component, type ReactNode } from "react";
import { ReaderContext } from "../i18n/text.ts";

interface State {
  readonly message: string | undefined;
}

/** A mistake of the page takes nothing with it: what is stored is the daemon's. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  static override contextType = ReaderContext;
  declare context: React.ContextType<typeof ReaderContext>;
  override state: State = { message: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { message: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    const { message } = this.state;
    if (message === undefined) return this.props.children;
    const { t } = this.context;
    return (
      <main className="view">
        <div className="card failed" role="alert">
          <h1>{t("error.broken")}</h1>
          <p className="m">{message}</p>
          <button type="button" className="btn" onClick={() => location.reload()}>
            {t("common.retry")}
          </button>
        </div>
      </main>
    );
  }
}
