import type { FastifyPluginAsync } from 'fastify';

/** Where the feed is served. */
const feedPath = '/__emulator/feed.xml';

/** Posts of an invented blog, the newest first. */
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

const feed = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0">
  <channel>
    <title>News from the town</title>
    <link>https://town.example/</link>
    <description>What happens in town</description>
${posts
	.map(
		({ title, text }, index) => `    <item>
      <title>${title}</title>
      <link>https://town.example/${posts.length - index}</link>
      <guid>https://town.example/${posts.length - index}</guid>
      <description>${text.replaceAll(/[^.]+\./g, (sentence) => `&lt;p&gt;${sentence.trim()}&lt;/p&gt;`)}</description>
    </item>`,
	)
	.join('\n')}
  </channel>
</rss>
`;

/** The feed of an invented blog, served without a key like a page of another host, for workflows that read one. */
export const feedRoutes: FastifyPluginAsync = async (app) => {
	app.get(feedPath, async (_request, reply) => reply.type('application/rss+xml; charset=utf-8').send(feed));
};
