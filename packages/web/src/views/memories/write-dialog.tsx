import type { FormEvent } from "react";
import { useAddress } from "../../address/use-address.ts";
import { useText } from "../../i18n/text.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { FormEnd } from "../../ui/form-end.tsx";
import { useDraft } from "../../ui/use-draft.ts";
import { useWrite } from "../../ui/use-write.ts";

/** A memory by hand. What was typed is still there when the dialog was closed. */
export function WriteDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const { space, branch } = useAddress();
  const write = useWrite();
  const [content, setContent, forgetContent] = useDraft("write content");
  const [category, setCategory, forgetCategory] = useDraft("write category");
  const [tags, setTags, forgetTags] = useDraft("write tags");
  const remember = async (event: FormEvent) => {
    event.preventDefault();
    const named = category.trim() === "" ? {} : { category: category.trim() };
    const input = { space, branch, content: content.trim(), tags: tagsIn(tags), ...named };
    const made = await write("remember", input, { done: "done.remembered" });
    if (made === undefined) return;
    for (const forget of [forgetContent, forgetCategory, forgetTags]) forget();
    onClose();
  };
  return (
    <Dialog title={t("write.title")} onClose={onClose}>
      <form className="form" onSubmit={(event) => void remember(event)}>
        <Field label={t("write.content")} rows={5} value={content} onChange={setContent} hasFocus />
        <Field label={t("write.category")} value={category} onChange={setCategory} />
        <Field label={t("write.tags")} value={tags} onChange={setTags} />
        <FormEnd onCancel={onClose} does={t("write.add")} isReady={content.trim() !== ""} />
      </form>
    </Dialog>
  );
}

export const tagsIn = (text: string): string[] =>
  text
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
