import { fetchUtility } from '../../../nodes/Utilities/fetchUtility';
import { Call } from '../../../nodes/shared/run/call';
import { PaidResults } from '../../../nodes/shared/run/paidResults';
import { RunResources } from '../../../nodes/shared/run/runResources';
import { GatewayClient } from '../../../nodes/shared/send/client';
import { FakeClock } from '../fakeClock';
import { FakeContext } from '../shared/fakeContext';

const LINK = { image: 'https://files.example/a.png' };
const INSIDE = { base64: Buffer.from(`GIF89a${'a picture'.repeat(9)}`).toString('base64') };

it.each<[string, object | string, string[]]>([
	['deleted', LINK, ['/news', '/a.png', '/a.png']],
	['kept', LINK, ['/news', '/a.png']],
	['kept', `${LINK.image}\n`, ['/news', '/a.png']],
	['kept', INSIDE, ['/news']],
])(
	'A picture is paid for once, kept as a file, and downloaded again only if n8n has deleted it: %s %j',
	async (id, body, expected) => {
		const asked: string[] = [];
		const respond = ({ url }: { url: string }) => {
			asked.push(new URL(url).pathname);
			return url.includes('/news')
				? { body }
				: { headers: { 'content-type': 'image/png' }, body: Buffer.from('a picture') };
		};
		const fetch = {
			path: '/news',
			query: [['encoding', 'image']] as Array<[string, string]>,
			fileName: 'News',
			parameters: [],
			mayBeWebPage: false,
		};
		const tries = {};
		for (let count = 0; count < 2; count++) {
			const context = new FakeContext({ respond }).execute;
			const prepareBinaryData = async () => await Promise.resolve({ id, mimeType: 'image/png', data: '' });
			Object.assign(context.helpers, { prepareBinaryData });
			const clock = new FakeClock();
			const client = await GatewayClient.of(context, { clock });
			const results = new PaidResults(tries, { runIndex: 0 });
			const call = new Call(new RunResources(context, client, { results }), 0);
			const [result] = await clock.run(fetchUtility(call, fetch));
			expect(result).toMatchObject({ files: { data: { id } } });
		}
		expect(asked).toEqual(expected);
		expect(JSON.stringify(tries)).not.toContain(INSIDE.base64);
	},
);
