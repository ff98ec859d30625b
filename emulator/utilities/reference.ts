import { domainToASCII, domainToUnicode } from 'node:url';
import { findEntry } from './data/encyclopedia';
import { songs } from './data/songs';
import type { Call, Endpoint } from './endpoint';
import { Dice } from './random';
import { type Answer, describe, Refusal } from './reply';
import { dateOf, dayInMs, stamps, timeAt } from './time';

function encyclopedia({ parameters, fileUrl }: Call): Answer {
	const { word } = parameters.required('word');
	const entry = findEntry(word);
	if (!entry) throw new Refusal(404, 404, '未找到相关词条');
	const { title, description, abstract, hasOther } = entry;
	const data = {
		title,
		description,
		abstract,
		cover: fileUrl(`encyclopedia-${new Dice('encyclopedia', title).integer(100_000, 999_999)}.png`),
		has_other: hasOther,
		link: `https://encyclopedia.example/item/${encodeURIComponent(title)}`,
	};
	return describe(
		data,
		() => `${title}: ${abstract} (详情: ${data.link})`,
		() =>
			`# ${title}\n\n> ${description}\n\n![${title}](${data.cover})\n\n## 摘要\n\n${abstract}\n\n` +
			`${hasOther ? '**注**: 该词条有其他义项\n\n' : ''}[查看完整词条](${data.link})`,
	);
}

// Endings whose registered names are one level deeper, as in `example.co.uk`.
const secondLevelEnding = /\.(?:com|co|net|org|gov|edu|ac|or|ne)\.[a-z]{2}$/;
const unregistrable = /\.(?:invalid|test|localhost|local)$/;

function registeredDomain(asked: string): string {
	const host = domainToASCII(asked.replace(/^https?:\/\//i, '').replace(/[/:?#].*$/, ''));
	if (!/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(host)) {
		throw new Refusal(400, 400, `域名 ${asked} 格式不正确`);
	}
	return host
		.split('.')
		.slice(secondLevelEnding.test(host) ? -3 : -2)
		.join('.');
}

/** What a registry does not show is empty and 0 (whois.module.ts of the open-source service). DENIC shows only the last change. */
const showsOnlyUpdate = /\.de$/;
const unknownTime = <Name extends string>(name: Name) =>
	({ [name]: '', [`${name}_at`]: 0 }) as ReturnType<typeof stamps<Name>>;

function whois({ parameters, today }: Call): Answer {
	const domain = registeredDomain(parameters.required('domain').domain);
	if (unregistrable.test(domain)) throw new Refusal(400, 400, `域名 ${domain} 未找到或未注册`);
	const dice = new Dice('whois', domain);
	const unicode = domainToUnicode(domain);
	const isInternational = unicode !== domain;
	const year = dice.integer(1995, 2019);
	const created = timeAt(`${year}-0${dice.integer(1, 9)}-1${dice.integer(0, 9)}`, '04:00:00');
	const updated = created + dice.integer(1000, 1800) * dayInMs;
	const duration = timeAt(today) - created;
	const days = Math.floor(duration / dayInMs);
	const isPrivate = showsOnlyUpdate.test(domain);
	const known = (text: string) => (isPrivate ? '' : text);
	const data = {
		domain,
		unicode_domain: isInternational ? unicode : '',
		punycode_domain: isInternational ? domain : '',
		status: dice.sample(
			['client delete prohibited', 'client transfer prohibited', 'client update prohibited', 'active'],
			2,
		),
		registrar: dice.pick(['Example Domains Ltd.', 'North Registry GmbH', '示例域名注册有限公司']),
		registrant: {
			name: known(dice.pick(['Registration Private', 'Domain Administrator'])),
			organization: known(dice.pick(['Example Holdings', 'Privacy Service', '示例科技有限公司'])),
			email: known(`contact@${domain}`),
			country: known(dice.pick(['CN', 'US', 'DE', 'SG', 'JP'])),
		},
		nameservers: [1, 2].map((index) => `ns${index}.${dice.pick(['dns.example', 'names.example'])}`),
		dnssec: dice.next() < 0.5,
		...(isPrivate ? unknownTime('created') : stamps('created', created)),
		...stamps('updated', updated),
		...(isPrivate
			? unknownTime('expires')
			: stamps(
					'expires',
					timeAt(`${Number(today.slice(0, 4)) + dice.integer(1, 6)}${dateOf(created).slice(4)}`),
				)),
		duration: isPrivate ? 0 : duration,
		duration_desc: known(`${Math.floor(days / 365)}年${Math.floor((days % 365) / 30)}个月`),
	};
	const facts: Array<[string, string]> = [
		['域名', data.domain],
		['注册商', data.registrar],
		['注册人', data.registrant.organization],
		['状态', data.status.join(', ')],
		['DNS 服务器', data.nameservers.join(', ')],
		['注册时间', data.created],
		['更新时间', data.updated],
		['过期时间', data.expires],
		['注册时长', data.duration_desc],
	];
	return describe(
		data,
		() => facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
		() => `# ${domain}\n\n${facts.map(([name, value]) => `- **${name}**: ${value}`).join('\n')}`,
	);
}

interface LyricLine {
	ms: number;
	lyric: string;
	/** Whether the line is a credit, such as the composer's name, which `clean` omits. */
	isCredit: boolean;
}

const twoDigits = (value: number) => String(value).padStart(2, '0');

function clockOf(ms: number): { time: string; label: string } {
	const time = `${twoDigits(Math.floor(ms / 60_000))}:${twoDigits(Math.floor((ms % 60_000) / 1000))}`;
	return { time, label: `[${time}.${twoDigits(Math.floor((ms % 1000) / 10))}]` };
}

/** Every query with a letter or digit succeeds: with a known song, or with lines of another song. */
function lyric({ parameters }: Call): Answer {
	const { query } = parameters.required('query');
	if (!/[\p{L}\p{N}]/u.test(query)) throw new Refusal(404, 404, '未找到歌曲或歌词');
	const dice = new Dice('lyric', query);
	const song = songs.find(({ title }) => query.includes(title)) ?? { ...dice.pick(songs), title: query };
	const album = `${song.title}（专辑）`;
	const credits = [`作词：${song.artist}`, '作曲：佚名', `编曲：${dice.pick(['林清', '江远', '苏禾'])}`];
	let ms = 0;
	const all: LyricLine[] = [
		...credits.map((line) => ({ line, isCredit: true })),
		...[...song.lines, ...song.lines].map((line) => ({ line, isCredit: false })),
	].map(({ line, isCredit }) => {
		ms += isCredit ? 1500 : dice.integer(280, 520) * 10;
		return { ms, lyric: line, isCredit };
	});
	// Only the exact value `false` turns cleaning off (observed).
	const shown = parameters.text('clean') === 'false' ? all : all.filter(({ isCredit }) => !isCredit);
	const data = {
		title: song.title,
		artists: [song.artist],
		album,
		offset: 0,
		lyrics: shown.map(({ ms: at, lyric: line }) => ({ ms: at, ...clockOf(at), lyric: line })),
		formatted: shown.map(({ lyric: line }) => line).join('\n'),
		raw_lyric: [
			`[ti:${song.title}]`,
			`[ar:${song.artist}]`,
			`[al:${album}]`,
			'[offset:0]',
			...all.map(({ ms: at, lyric: line }) => `${clockOf(at).label}${line}`),
		].join('\n'),
	};
	return describe(
		data,
		() => data.formatted,
		() => `# ${song.title}\n\n**演唱**: ${song.artist}\n\n**专辑**: ${album}\n\n---\n\n${data.formatted}`,
	);
}

/** Group Reference: encyclopedia, domain registrations and lyrics. */
export const referenceEndpoints: Endpoint[] = [
	{ path: '/encyclopedia', example: '/encyclopedia?word=AI', answer: encyclopedia },
	{ path: '/whois', example: '/whois?domain=example.com', answer: whois },
	{ path: '/lyric', example: '/lyric?query=晴天', answer: lyric },
];
