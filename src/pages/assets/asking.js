// While a source is being asked: waits with the service, then puts the finished page in place of this one.

async function follow(box) {
  for (let tries = 0; tries < 8; tries++) {
    const answer = await fetch(box.dataset.asking).catch(() => null);
    if (answer?.status === 204) return true;
    if (answer?.status !== 202) await new Promise((resolve) => setTimeout(resolve, 2000));
  }
  return false;
}

async function complete() {
  const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  document.title = page.title;
  document.querySelector('main').replaceWith(page.querySelector('main'));
  for (const { src } of page.querySelectorAll('script[type=module]')) await import(src);
  // Another source may be asked now, or the same once more.
  if (document.querySelector('[data-asking]')) location.reload();
}

/** Past this the usual time is no longer true. */
function sayLate(box) {
  const { lateAfter, late } = box.dataset;
  if (!late) return;
  setTimeout(() => {
    if (!box.isConnected) return;
    box.classList.add('late');
    box.querySelector('h2').textContent = late;
  }, lateAfter * 1000);
}

const boxes = [...document.querySelectorAll('[data-asking]')];
boxes.forEach(sayLate);
const over = await Promise.all(boxes.map(follow));
if (over.every(Boolean)) {
  await complete().catch(() => location.reload());
} else {
  for (const box of boxes) {
    box.classList.add('late');
    box.querySelector('h2, [role=status]').textContent =
      'This is taking longer than usual. Reload the page in a minute.';
  }
}
