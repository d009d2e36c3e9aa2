import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { Router } from "wouter";
import { LiveProvider } from "./api/live.tsx";
import { newQueryClient } from "./api/use-call.ts";
import { ReaderContext } from "./i18n/text.ts";
import { ErrorBoundary } from "./shell/error-boundary.tsx";
import { SettingsContext, useNewSettings } from "./shell/settings.ts";
import { Shell } from "./shell/shell.tsx";
import { OwnerCode } from "./ui/owner-code.tsx";
import { ToastsProvider } from "./ui/toasts.tsx";

export function App() {
  const [queries] = useState(newQueryClient);
  const settings = useNewSettings();
  return (
    <QueryClientProvider client={queries}>
      <SettingsContext value={settings}>
        <ReaderContext value={settings.reader}>
          <ErrorBoundary>
            <Router base="/ui">
              <ToastsProvider>
                <LiveProvider>
                  <Shell />
                  <OwnerCode />
                </LiveProvider>
              </ToastsProvider>
            </Router>
          </ErrorBoundary>
        </ReaderContext>
      </SettingsContext>
    </QueryClientProvider>
  );
}
