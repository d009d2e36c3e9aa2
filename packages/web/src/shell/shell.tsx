import { useEffect } from "react";
import { useAddress } from "../address/use-address.ts";
import { useText } from "../i18n/text.ts";
import { TimeStrip } from "../time/time-strip.tsx";
import { Banner } from "./banner.tsx";
import { BranchPicker } from "./branch-picker.tsx";
import { DamageBanner } from "./damage-banner.tsx";
import { useHelp } from "./help.tsx";
import { Routes } from "./routes.tsx";
import { SCROLL_ID } from "./scroll.ts";
import { useShellKeys } from "./shell-keys.ts";
import { Side, Tabs } from "./side.tsx";
import { SpacePicker } from "./space-picker.tsx";
import { SyncWord } from "./sync-word.tsx";

export function Shell() {
  const t = useText();
  const { path, moment } = useAddress();
  const help = useHelp();
  useShellKeys({ onHelp: help.open });
  useEffect(() => {
    document.documentElement.classList.toggle("past", moment !== undefined);
  }, [moment]);
  useEffect(() => {
    if (path !== "") document.getElementById(SCROLL_ID)?.scrollTo(0, 0);
  }, [path]);
  const hasStrip = path === "/" || path.startsWith("/memory/");
  return (
    <>
      <a className="skip" href={`#${SCROLL_ID}`} onClick={skip}>
        {t("app.skip")}
      </a>
      <div className="app">
        <Side onHelp={help.open} />
        <div className="main">
          <div className="top">
            <SpacePicker />
            <BranchPicker />
            <span className="grow" />
            <SyncWord isShort />
          </div>
          <Banner />
          <DamageBanner />
          <main className="scroll" id={SCROLL_ID} tabIndex={-1}>
            <div className="view" key={path}>
              <Routes />
            </div>
          </main>
          {hasStrip && <TimeStrip />}
          <Tabs />
        </div>
      </div>
      {help.dialog}
    </>
  );
}

/** Without a step in the address. */
function skip(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById(SCROLL_ID)?.focus();
}
