const fillers = new Set(
	(
		'about above after again also always another answer because been before being below between both ' +
		'characters could does each every explain from give have here into just like list make more most ' +
		'much must need only other over please short should some such tell than that their them then ' +
		'there these they this those through under very want were what when where which while will with ' +
		'without words would write your'
	).split(' '),
);

/** Returns the apparent topics of a text: its first distinct words that are not fillers. */
export function termsOf(text: string, maxTerms = 4): string[] {
	const words = text.match(/\p{Script=Han}{2,8}|[\p{Letter}\p{Number}][\p{Letter}\p{Number}'-]{3,}/gu) ?? [];
	const terms = new Map<string, string>();
	for (const word of words) {
		const key = word.toLowerCase();
		if (!fillers.has(key) && !terms.has(key)) terms.set(key, word);
	}
	return [...terms.values()].slice(0, maxTerms);
}
