import type { FastifyPluginAsync } from 'fastify';

/** The paths under which the feeds are served. */
const feedPath = '/__emulator/feed.xml';
const otherFeedPath = '/__emulator/other-feed.xml';

/** The posts of an invented blog, newest first. */
const posts = [
	{
		title: 'The river bath opens again',
		text: 'The open-air bath by the bridge opens on Saturday, after two years of work. The water is warmed by the sun. Children swim for free until the end of the month.',
	},
	{
		title: 'Night trains to the coast',
		text: 'From June, a night train runs to the coast three times a week. It leaves at ten and arrives in time for breakfast. Bicycles travel for half the price.',
	},
	{
		title: 'A library of tools',
		text: 'The new library lends drills, ladders, and sewing machines. Members pay ten a year and may borrow three tools at a time. Volunteers repair what comes back broken.',
	},
	{
		title: 'Bees on the town hall',
		text: 'Four hives stand on the roof of the town hall. The first honey was sold within an hour. Next year, the school gets hives of its own.',
	},
];

/** The posts of another invented blog. The first one is about an event that both blogs report. */
const otherPosts = [
	{
		title: 'River bath opens again',
		text: 'The open-air bath by the bridge opens again on Saturday, after two years of work. The water is warmed by the sun, and children swim for free until the end of the month.',
	},
	{
		title: 'A market for old books',
		text: 'On Sunday, forty traders sell old books on the quay. Whoever brings a book may take one home.',
	},
];

const feeds: Record<string, string> = {
	[feedPath]: feedOf('https://town.example/', posts),
	[otherFeedPath]: feedOf('https://river.example/', otherPosts),
};

function feedOf(address: string, its: typeof posts): string {
	return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0">
  <channel>
    <title>News from the town</title>
    <link>${address}</link>
    <description>What happens in town</description>
${its
	.map(
		({ title, text }, index) => `    <item>
      <title>${title}</title>
      <link>${address}${its.length - index}</link>
      <guid>${address}${its.length - index}</guid>
      <description>${text.replaceAll(/[^.]+\./g, (sentence) => `&lt;p&gt;${sentence.trim()}&lt;/p&gt;`)}</description>
    </item>`,
	)
	.join('\n')}
  </channel>
</rss>
`;
}

/** Serves the feeds of two invented blogs, without a key like pages of another host, for workflows that read them. */
export const feedRoutes: FastifyPluginAsync = async (app) => {
	for (const [path, feed] of Object.entries(feeds)) {
		app.get(path, async (_request, reply) => reply.type('application/rss+xml; charset=utf-8').send(feed));
	}
};
