/** What an event says has changed: boats of the day, or what needs a person. */
export const LIVE_TOPICS = ['boats', 'work'] as const;
export type LiveTopic = (typeof LIVE_TOPICS)[number];
