import type { INodeParameters } from 'n8n-workflow';

/** What a user must fill in, by operation; everything else is left as it is in a new node. */
export const filledIn: Record<string, INodeParameters> = {
	encyclopedia: { word: '人工智能' },
	hash: { content: 'hello' },
	healthReport: { height: 175, weight: 70, age: 30 },
	lyrics: { query: '茉莉花' },
	musicChart: { id: { __rl: true, mode: 'list', value: '3778678' } },
	pageMetadata: { url: 'https://example.com/about-us' },
	passwordCheck: { password: 'correct horse' },
	qrCode: { text: 'https://example.com' },
	translate: { text: 'Good morning' },
	whois: { domain: 'example.com' },
};
