import { jsQuirks } from './data/jsQuirks';
import { answers, dadJokes, fastfoodCopies, fortunes, passions, quotes, shortJokes } from './data/sayings';
import type { Call, Endpoint } from './endpoint';
import { Dice } from './random';
import { type Answer, describe, Refusal } from './reply';

/**
 * The index of the element to return: that of the requested `id`, otherwise one per day.
 * @param kind name of the elements in the message about an unknown id
 * @param firstId the id of the first element
 * @throws Refusal 404 for an id without an element
 */
function indexIn(list: readonly unknown[], kind: string, { parameters, today }: Call, firstId = 0): number {
	if (parameters.text('id') === '') {
		return new Dice(kind, today, parameters.fingerprint()).integer(0, list.length - 1);
	}
	const id = parameters.integer('id', Number.NaN);
	const index = id - firstId;
	if (!(index >= 0 && index < list.length)) throw new Refusal(404, 404, `未找到ID为 ${id} 的${kind}`);
	return index;
}

/** An endpoint that returns one text of a list as `field`, together with its `index`. */
function oneOf(
	path: string,
	heading: string,
	kind: string,
	field: string,
	texts: readonly string[],
): Endpoint {
	return {
		path,
		example: `${path}?id=0`,
		answer: (call) => {
			const index = indexIn(texts, kind, call);
			const text = texts[index];
			return describe(
				{ index, [field]: text },
				() => text,
				() => `# ${heading}\n\n> ${text}\n\n---\n\n*第 ${index + 1} 条*`,
			);
		},
	};
}

function bookOfAnswers(call: Call): Answer {
	const index = indexIn(answers, '答案', call);
	const [answer, english] = answers[index];
	return describe(
		{ id: String(index), answer, answer_en: english, index },
		() => answer,
		() => `# 答案之书\n\n## ${answer}\n\n---\n\n*第 ${index + 1} 条答案*`,
	);
}

function luck(call: Call): Answer {
	const { name, rank, tips } = fortunes[indexIn(fortunes, '运势', call)];
	const tipIndex = new Dice('luck', call.today, call.parameters.fingerprint()).integer(0, tips.length - 1);
	const data = { luck_desc: name, luck_rank: rank, luck_tip: tips[tipIndex], luck_tip_index: tipIndex };
	return describe(
		data,
		() => `${name}: ${data.luck_tip}`,
		() => `# 今日运势\n\n## ${name}\n\n> ${data.luck_tip}\n\n**运势等级**: ${rank}/10`,
	);
}

/**
 * Unlike the others, this endpoint does not fail: without a copy it returns only `{ index }`, and an empty text. Observed
 * while its source was down; here for an unknown `id`.
 */
function fastfoodCopy({ parameters, today }: Call): Answer {
	const drawn = new Dice('fastfood-copy', today).integer(0, fastfoodCopies.length - 1);
	const asked = parameters.integer('id', drawn);
	const copy = fastfoodCopies[asked];
	const index = copy === undefined ? -1 : asked;
	return describe(
		{ index, kfc: copy },
		() => copy ?? '',
		() => `# 疯狂星期四文案\n\n${copy ?? '暂无'}\n\n---\n\n*第 ${index + 1} 条*`,
	);
}

function jsQuirk(call: Call): Answer {
	const index = indexIn(jsQuirks, '题目', call, 1);
	const { question, code, options, answer, explanation } = jsQuirks[index];
	return describe(
		{ id: index + 1, question, code, options, answer, explanation },
		() => `${question}\n\n${code}\n\n${options.join('\n')}\n\n答案: ${answer}\n\n${explanation}`,
		() =>
			`# ${question}\n\n\`\`\`javascript\n${code}\n\`\`\`\n\n${options.map((option) => `- ${option}`).join('\n')}\n\n` +
			`**答案**: ${answer}\n\n${explanation}`,
	);
}

function passion(call: Call): Answer {
	const name = call.parameters.text('name', '主人');
	const index = indexIn(passions, '发病文学', call);
	const saying = passions[index].replaceAll('{name}', () => name);
	return describe(
		{ index, saying },
		() => saying,
		() => `# 发病文学\n\n> ${saying}`,
	);
}

/** The endpoints of group Fun that return one saying, joke, fortune or puzzle: by `id`, or one per day. */
export const sayingEndpoints: Endpoint[] = [
	oneOf('/quote', '一言', '句子', 'hitokoto', quotes),
	oneOf('/duanzi', '段子', '段子', 'duanzi', shortJokes),
	oneOf('/dad-joke', '冷笑话', '冷笑话', 'content', dadJokes),
	{ path: '/luck', example: '/luck?id=0', answer: luck },
	{ path: '/answer', example: '/answer?id=0', answer: bookOfAnswers },
	{ path: '/fastfood-copy', answer: fastfoodCopy },
	{ path: '/js-quirks', example: '/js-quirks?id=5', answer: jsQuirk },
	{ path: '/fabing', example: '/fabing?name=张三&id=0', answer: passion },
];
