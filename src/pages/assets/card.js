// Loads a card again until its sticker is known. The service says when and how often.

const RETRY_SECONDS = 30;
const MAX_FAILURES = 20;

const sleep = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

async function load(path) {
  try {
    // A refusal is a card too.
    const response = await fetch(path, { headers: { Accept: 'text/html' } });
    return new DOMParser().parseFromString(await response.text(), 'text/html');
  } catch {
    return null;
  }
}

let failures = 0;
for (let card; (card = document.querySelector('main[data-next]'));) {
  await sleep(failures > 0 ? RETRY_SECONDS : card.dataset.seconds);
  const page = await load(card.dataset.next);
  const next = page?.querySelector('main');
  if (next) {
    document.title = page.title;
    card.replaceWith(next);
    failures = 0;
  } else if (++failures === MAX_FAILURES) {
    card.querySelector('[role=status]').remove();
    break;
  }
}
