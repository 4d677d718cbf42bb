
// All text gets into the page as text: a topic's name is data.

const byID = id => document.getElementById(id);

function put(node, text) { if (node.textContent !== text) node.textContent = text; }

function make(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children);
  return node;
}
