// Sends the request for the entered VIN and shows the response instead of the example.

for (const form of document.querySelectorAll('[data-try]')) {
  form.hidden = false;
  const [request, response] = form.parentElement.querySelectorAll('figure');
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void show(form, request, response);
  });
}

// Opens the folded operation that the URL links to.
function unfold() {
  const target = document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) target.open = true;
}
addEventListener('hashchange', unfold);
unfold();

// Marks the operation that is at the top of the window in the list of operations.
const links = new Map(
  [...document.querySelectorAll('.api-nav a[href^="#"]')].map((link) => [link.hash.slice(1), link]),
);
const inView = new Set();
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) inView[isIntersecting ? 'add' : 'delete'](target.id);
    const id = [...links.keys()].find((each) => inView.has(each));
    if (!id) return;
    for (const [each, link] of links) {
      if (each === id) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    // On narrow screens the list is above the text, which would move.
    const group = links.get(id).closest('details');
    if (group && matchMedia('(min-width: 1024px)').matches) group.open = true;
  },
  { rootMargin: '0px 0px -70%' },
);
for (const id of links.keys()) observer.observe(document.getElementById(id));

async function show(form, request, figure) {
  const vin = form.elements.vin.value.replace(/[\s-]/g, '').toUpperCase();
  form.elements.vin.value = vin;
  const path = form.dataset.try.replace('{vin}', encodeURIComponent(vin));
  const url = new URL(path, location.href).href;
  for (const code of request.querySelectorAll('[data-url]')) {
    code.textContent = code.textContent.replace(code.dataset.url, () => url);
    code.dataset.url = url;
  }
  const status = figure.querySelector('b');
  const body = figure.querySelector('code');
  try {
    const response = await fetch(path);
    body.textContent = JSON.stringify(await response.json(), null, 2);
    status.textContent = response.status;
    status.className = `now mono ${response.ok ? 'good' : 'bad'}`;
  } catch {
    body.textContent = 'We couldn’t reach the service. Try again in a minute.';
    status.textContent = '';
  }
  figure.scrollIntoView({ block: 'nearest' });
}
