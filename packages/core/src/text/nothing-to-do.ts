/** How a notice ends that is no reason to worry; what tells people of problems leaves it out. */
export const NOTHING_TO_DO = "There is nothing to do.";

/** Whether a notice says that there is nothing to do. */
export const isReassuring = (notice: string): boolean => notice.endsWith(NOTHING_TO_DO);
